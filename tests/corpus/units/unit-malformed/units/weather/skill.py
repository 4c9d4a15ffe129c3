class Weather:
    async def execute(self, params: dict) -> dict:
        return {"sky": "grey"}
