import ast
import math
import sys

OK = (ast.Expression, ast.BinOp, ast.UnaryOp, ast.Call, ast.Name, ast.Load, ast.Constant,
      ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.USub)
FUNCS = {n: getattr(math, n) for n in ("sqrt", "sin", "cos", "tan", "radians", "log", "exp")}


def evaluate(text, names):
    tree = ast.parse(text, mode="eval")
    for node in ast.walk(tree):
        if not isinstance(node, OK):
            raise ValueError(f"not allowed: {type(node).__name__}")
        if isinstance(node, ast.Name) and node.id not in names and node.id not in FUNCS:
            raise ValueError(f"unknown name: {node.id}")
    return eval(compile(tree, "sheet", "eval"), {"__builtins__": {}}, {**FUNCS, **names})


values = {"pi": math.pi}
for line in open(sys.argv[1], encoding="utf-8"):
    body, _, unit = line.partition("#")
    if "=" in body:
        name, expr = (s.strip() for s in body.split("=", 1))
        values[name] = evaluate(expr, values)
        print(f"{name:12} {values[name]:>12.4g} {unit.strip()}")
