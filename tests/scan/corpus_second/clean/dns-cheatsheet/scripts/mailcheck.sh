#!/bin/sh
d=$1
echo "MX:";    dig +short MX "$d"
echo "SPF:";   dig +short TXT "$d" | grep -i spf1
echo "DMARC:"; dig +short TXT "_dmarc.$d"
