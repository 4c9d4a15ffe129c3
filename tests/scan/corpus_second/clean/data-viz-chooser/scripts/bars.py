import sys
import pandas as pd
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt

d = pd.read_csv(sys.argv[1]).sort_values("value")
fig, ax = plt.subplots(figsize=(7, 0.4 * len(d) + 1))
ax.barh(d["label"], d["value"], color="#3b6ea5")
ax.bar_label(ax.containers[0], padding=3)
ax.spines[["top", "right", "bottom"]].set_visible(False)
ax.set_xticks([])
fig.tight_layout()
fig.savefig(sys.argv[2], dpi=160)
