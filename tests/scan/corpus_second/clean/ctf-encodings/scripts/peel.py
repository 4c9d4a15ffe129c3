import base64, binascii, codecs, sys

def tries(s):
    for name, fn in (("base64", lambda x: base64.b64decode(x, validate=True)),
                     ("hex", binascii.unhexlify),
                     ("base32", base64.b32decode),
                     ("rot13", lambda x: codecs.encode(x, "rot13").encode())):
        try:
            out = fn(s).decode()
            if out.isprintable():
                yield name, out
        except Exception:
            pass

for name, out in tries(sys.argv[1]):
    print(f"{name:7} {out}")
