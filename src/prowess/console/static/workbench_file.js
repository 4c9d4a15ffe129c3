// What only the static file has: its language and its colours, chosen on the page and kept nowhere.
"use strict";

(() => {
  const chinese = JSON.parse(document.getElementById("spoken").dataset.chinese);
  const language = document.getElementById("language");
  const theme = document.getElementById("theme");

  function speak() {
    document.documentElement.lang = language.value;
    for (const each of document.querySelectorAll("[data-t]")) {
      each.dataset.t ||= each.textContent;
      each.textContent = language.value === "zh" ? chinese[each.dataset.t] || each.dataset.t : each.dataset.t;
    }
    document.title = document.querySelector("h1").textContent + " · Prowess";
    document.dispatchEvent(new Event("workbench:language"));
  }

  if (navigator.language.startsWith("zh")) language.value = "zh";
  language.addEventListener("change", speak);
  theme.addEventListener("change", () => {
    document.documentElement.dataset.theme = theme.value;
  });
  document.documentElement.classList.add("scripted");
  speak();
})();
