$apps = 'Git.Git', 'Microsoft.VisualStudioCode', 'OpenJS.NodeJS.LTS', 'Python.Python.3.12', 'Microsoft.PowerShell', '7zip.7zip'
foreach ($a in $apps) {
  winget install --id $a --exact --silent --accept-package-agreements --accept-source-agreements
}
git config --global init.defaultBranch main
git config --global core.autocrlf input
Write-Host "Done. Restart the terminal."
