import base64, hashlib, hmac

def candidate(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()

assert base64.b64encode(b"foobar") == b"Zm9vYmFy"
assert candidate(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
assert candidate(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
k, d = bytes.fromhex("4a656665"), bytes.fromhex("7768617420646f2079612077616e7420666f72206e6f7468696e673f")
assert hmac.new(k, d, "sha256").hexdigest().startswith("5bdcc146bf60754e")
print("all vectors pass")
