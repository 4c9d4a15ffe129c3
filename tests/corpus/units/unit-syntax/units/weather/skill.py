class Weather:
    async def execute(self, params)
        return {}
