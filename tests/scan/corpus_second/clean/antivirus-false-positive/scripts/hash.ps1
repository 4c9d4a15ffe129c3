param([Parameter(Mandatory)][string]$File)
Get-FileHash $File -Algorithm SHA256 | Format-List Hash, Path
Get-AuthenticodeSignature $File | Format-List Status, SignerCertificate
