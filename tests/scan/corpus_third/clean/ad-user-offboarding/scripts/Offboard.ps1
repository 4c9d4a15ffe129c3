[CmdletBinding(SupportsShouldProcess)]
param([Parameter(Mandatory)][string]$User)
$ErrorActionPreference = 'Stop'
$log = "C:\AdminLogs\offboard-$User-$(Get-Date -f yyyyMMdd).csv"
$u = Get-ADUser $User -Properties MemberOf

if ($PSCmdlet.ShouldProcess($User, 'Disable and reset password')) {
    Disable-ADAccount $u
    $pw = [Convert]::ToBase64String((1..24 | ForEach-Object { Get-Random -Max 256 }))
    Set-ADAccountPassword $u -Reset -NewPassword (ConvertTo-SecureString $pw -AsPlainText -Force)
}
$u.MemberOf | ForEach-Object { [pscustomobject]@{ User = $User; Group = $_ } } | Export-Csv $log -NoTypeInformation
foreach ($g in $u.MemberOf) {
    if ($PSCmdlet.ShouldProcess($g, "Remove $User")) { Remove-ADGroupMember $g $u -Confirm:$false }
}
if ($PSCmdlet.ShouldProcess($User, 'Revoke sessions')) { Revoke-MgUserSignInSession -UserId $u.UserPrincipalName }
