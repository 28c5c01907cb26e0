"use strict";
// The page is complete without this script: it only adds sorting, filters, and a quicker way to see values.
(() => {
  const number = (cell) => (cell.dataset.v === undefined ? NaN : Number(cell.dataset.v));

  function compare(column, numeric, sign) {
    return (a, b) => {
      // Rows without a time stay at the end whichever way the others run.
      const failed = a.classList.contains("failed") - b.classList.contains("failed");
      if (failed) return failed;
      const [x, y] = [a.cells[column], b.cells[column]];
      if (!x || !y) return Boolean(y) - Boolean(x);
      if (!numeric) return sign * x.textContent.localeCompare(y.textContent, undefined, { numeric: true });
      const [p, q] = [number(x), number(y)];
      if (isNaN(p) || isNaN(q)) return isNaN(p) - isNaN(q);
      return sign * (p - q);
    };
  }

  function sortable(table) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      if (head.classList.contains("plain")) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") !== "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const body = table.tBodies[0];
        const rows = [...body.rows].sort(compare(column, head.classList.contains("n"), up ? 1 : -1));
        body.replaceChildren(...rows);
      });
    });
  }

  function filterable(form, table) {
    const fields = [...form.querySelectorAll("[data-column]")];
    const rows = [...table.tBodies[0].rows];
    function apply() {
      let shown = 0;
      for (const row of rows) {
        const hit = fields.every((field) => {
          const wanted = field.value.trim();
          const value = row.dataset[field.dataset.column];
          if (!wanted) return true;
          return field.type === "search" ? value.toLowerCase().includes(wanted.toLowerCase()) : value === wanted;
        });
        row.hidden = !hit;
        shown += hit;
      }
      form.querySelector("output").textContent = `${shown} of ${rows.length} rows`;
    }
    form.addEventListener("input", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(apply));
    form.hidden = false;
    apply();
  }

  // A lane's dots are one path; the one nearest to the pointer gives the sample's own time.
  function nearest(lane, x) {
    const chart = lane.ownerSVGElement;
    const dots = lane.querySelector(".dots");
    if (!dots) return "";
    const box = chart.getBoundingClientRect();
    const at = ((x - box.left) / box.width) * chart.viewBox.baseVal.width;
    const places = [...dots.getAttribute("d").matchAll(/M([\d.]+)/g)].map((match) => Number(match[1]));
    const best = places.reduce((a, b) => (Math.abs(b - at) < Math.abs(a - at) ? b : a));
    if (Math.abs(best - at) > 4) return "";
    const { left, right, end, scale, unit } = chart.dataset;
    const time = ((best - left) / (right - left)) * end * scale;
    return `\nthis sample: about ${time.toPrecision(3)} ${unit}`;
  }

  function tips() {
    const tip = document.getElementById("tip");
    const texts = new WeakMap();
    document.addEventListener("pointermove", (event) => {
      const lane = event.target.closest ? event.target.closest(".lane") : null;
      tip.hidden = !lane;
      if (!lane) return;
      const title = lane.querySelector("title");
      if (title) {
        texts.set(lane, title.textContent);
        title.remove(); // or the browser would show it a second time
      }
      tip.textContent = texts.get(lane) + nearest(lane, event.clientX);
      const left = Math.min(event.clientX + 16, innerWidth - tip.offsetWidth - 8);
      const below = event.clientY + 18 + tip.offsetHeight < innerHeight;
      tip.style.left = `${Math.max(8, left)}px`;
      tip.style.top = `${below ? event.clientY + 18 : event.clientY - tip.offsetHeight - 12}px`;
    });
  }

  function openTarget() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.tagName === "DETAILS") target.open = true;
  }

  document.querySelectorAll(".benchmark").forEach((benchmark) => {
    const table = benchmark.querySelector(".results");
    sortable(table);
    filterable(benchmark.querySelector(".filters"), table);
  });
  tips();
  addEventListener("hashchange", openTarget);
  openTarget();
})();
