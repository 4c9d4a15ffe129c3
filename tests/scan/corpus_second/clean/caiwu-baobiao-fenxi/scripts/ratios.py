# 输入列:item,value
import csv, sys
v = {r["item"]: float(r["value"]) for r in csv.DictReader(open(sys.argv[1], encoding="utf-8-sig"))}
def show(name, a, b):
    print(f"{name}: {v[a] / v[b]:.2%}" if v.get(b) else f"{name}: 无数据")
show("毛利率", "毛利", "营业收入")
show("净利率", "净利润", "营业收入")
show("资产负债率", "总负债", "总资产")
show("流动比率", "流动资产", "流动负债")
show("净资产收益率", "净利润", "净资产")
