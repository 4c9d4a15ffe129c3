class Weather:
    def execute(self, params):
        return {}
