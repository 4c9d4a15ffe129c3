const body = { model: process.env.MODEL, max_tokens: 512, messages: [{ role: 'user', content: process.argv[2] }] };
for (let i = 0; i < 3; i++) {
  const r = await fetch('https://api.anthropic.com/v1/messages', { method: 'POST', body: JSON.stringify(body),
    headers: { 'x-api-key': process.env.ANTHROPIC_API_KEY, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' } });
  if (r.ok) { console.log((await r.json()).content[0].text); break; }
  if (![429, 529].includes(r.status)) throw new Error(`HTTP ${r.status}`);
  await new Promise(f => setTimeout(f, 2000 * 2 ** i));
}
