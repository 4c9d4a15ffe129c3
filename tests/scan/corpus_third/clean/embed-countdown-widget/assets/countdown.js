const two = (n) => String(n).padStart(2, "0");
for (const el of document.querySelectorAll("time[data-countdown]")) {
  const end = Date.parse(el.dateTime);
  el.setAttribute("aria-live", "off");
  const tick = () => {
    const s = Math.max(0, Math.round((end - Date.now()) / 1000));
    el.textContent = `${Math.floor(s / 86400)}d ${two(Math.floor(s / 3600) % 24)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
    if (s) setTimeout(tick, 1000);
  };
  tick();
}
