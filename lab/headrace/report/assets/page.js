"use strict";
// The page is complete without this script: it only adds sorting, filters, pictures as files, and a quicker way
// to see values. The address holds what is filtered, sorted and shown, "#b0-0&toolchain=g%2B%2B&sort=median": a link to
// the page as it is seen.
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

  // A table of thousands of rows takes a browser a second to lay out: rows beyond a first portion show when
  // the reader comes near, or prints. Sorting and filters see all of them.
  const PORTION = 250;

  class Results {
    constructor(benchmark) {
      this.table = benchmark.querySelector(".results");
      this.form = benchmark.querySelector(".filters");
      this.more = benchmark.querySelector(".more");
      this.columns = benchmark.querySelector(".columns input");
      this.fields = [...this.form.querySelectorAll("[data-column]")];
      this.heads = [...this.table.tHead.rows[0].cells];
      this.rows = [...this.table.tBodies[0].rows];
      this.limit = PORTION;
      this.id = benchmark.id;
      this.makeSortable();
      this.form.addEventListener("input", () => this.change());
      this.columns.addEventListener("input", () => this.change());
      this.form.addEventListener("submit", (event) => event.preventDefault());
      this.form.addEventListener("reset", () => setTimeout(() => this.change()));
      this.form.hidden = false;
      this.more.addEventListener("click", () => this.showMore(PORTION));
      new IntersectionObserver((entries) => {
        if (entries.some((entry) => entry.isIntersecting)) this.showMore(PORTION);
      }, { rootMargin: "600px" }).observe(this.more);
      addEventListener("beforeprint", () => this.showMore(this.rows.length));
      this.show();
    }

    makeSortable() {
      this.heads.forEach((head, column) => {
        if (head.classList.contains("plain")) return;
        const button = document.createElement("button");
        button.type = "button";
        button.append(...head.childNodes);
        head.append(button);
        button.addEventListener("click", () => {
          this.sort(column, head.getAttribute("aria-sort") !== "ascending");
          this.change();
        });
      });
    }

    sort(column, up) {
      this.heads.forEach((other) => other.removeAttribute("aria-sort"));
      this.heads[column].setAttribute("aria-sort", up ? "ascending" : "descending");
      this.rows.sort(compare(column, this.heads[column].classList.contains("n"), up ? 1 : -1));
      this.table.tBodies[0].replaceChildren(...this.rows);
    }

    // What the address says of this table: each filter that is set, the column that it is sorted by, and
    // whether it has more columns.
    settings() {
      const set = new URLSearchParams();
      for (const field of this.fields) if (field.value.trim()) set.set(field.dataset.column, field.value.trim());
      const sorted = this.table.querySelector("[aria-sort]");
      if (sorted) {
        const sign = sorted.getAttribute("aria-sort") === "ascending" ? "" : "-";
        set.set("sort", sign + sorted.textContent.trim());
      }
      if (this.columns.checked) set.set("columns", "all");
      return set;
    }

    // A value that this table does not have is passed over: the link may be of another campaign.
    apply(set) {
      for (const field of this.fields) {
        const wanted = set.get(field.dataset.column) || "";
        const known = field.type === "search" || [...field.options].some((one) => one.value === wanted);
        field.value = known ? wanted : "";
      }
      this.columns.checked = set.get("columns") === "all";
      const wanted = set.get("sort") || "";
      const column = this.heads.findIndex((head) => head.textContent.trim() === wanted.replace(/^-/, ""));
      if (wanted && column >= 0 && !this.heads[column].classList.contains("plain")) {
        this.sort(column, !wanted.startsWith("-"));
      }
      this.restart();
    }

    change() {
      this.restart();
      const set = this.settings().toString();
      history.replaceState(null, "", set ? `#${this.id}&${set}` : "#" + this.id);
    }

    restart() {
      this.limit = PORTION;
      this.show();
    }

    showMore(number) {
      if (this.more.hidden) return;
      this.limit += number;
      this.show();
    }

    matches(row) {
      return this.fields.every((field) => {
        const wanted = field.value.trim();
        const value = row.dataset[field.dataset.column];
        if (!wanted) return true;
        return field.type === "search" ? value.toLowerCase().includes(wanted.toLowerCase()) : value === wanted;
      });
    }

    show() {
      let hits = 0;
      for (const row of this.rows) {
        const hit = this.matches(row);
        hits += hit;
        row.hidden = !hit || hits > this.limit;
      }
      this.more.hidden = hits <= this.limit;
      this.more.textContent = `show more of the ${hits.toLocaleString("en")} rows`;
      const all = this.rows.length.toLocaleString("en");
      this.form.querySelector("output").textContent = `${hits.toLocaleString("en")} of ${all} ${this.rows.length === 1 ? "row" : "rows"}`;
    }
  }

  // A lane's dots are one path; the one nearest to the pointer gives the sample's own time.
  function nearest(lane, x) {
    const chart = lane.ownerSVGElement;
    const dots = lane.querySelector(".dots");
    if (!dots) return "";
    const box = chart.getBoundingClientRect();
    const view = chart.viewBox.baseVal;
    const at = view.x + ((x - box.left) / box.width) * view.width;
    const places = [...dots.getAttribute("d").matchAll(/M([\d.]+)/g)].map((match) => Number(match[1]));
    const best = places.reduce((a, b) => (Math.abs(b - at) < Math.abs(a - at) ? b : a));
    if (Math.abs(best - at) > 4) return "";
    const { left, right, start, end, scale, unit } = chart.dataset;
    const share = (best - left) / (right - left);
    const time = (Number(start) ? start * (end / start) ** share : share * end) * scale;
    return `\nthis sample: about ${time.toPrecision(3)} ${unit}`;
  }

  function tips() {
    const tip = document.getElementById("tip");
    const texts = new WeakMap();
    const show = (event) => {
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
    };
    document.addEventListener("pointermove", show);
    document.addEventListener("pointerdown", show); // a finger does not hover
  }

  // A picture as a file of its own: with its title, its colours for light and dark, and nothing from elsewhere.
  function save(figure) {
    const picture = figure.querySelector(".chart").cloneNode(true);
    const title = figure.querySelector("h3").textContent;
    const view = picture.viewBox.baseVal;
    picture.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    picture.setAttribute("width", view.width);
    picture.setAttribute("height", view.height);
    const add = (tag, text) => {
      const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
      element.textContent = text;
      picture.prepend(element);
      return element;
    };
    const card = add("rect", "");
    card.setAttribute("class", "card");
    for (const name of ["x", "y", "width", "height"]) card.setAttribute(name, view[name]);
    add("style", document.getElementById("drawing").textContent);
    add("title", title);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(picture)], { type: "image/svg+xml" }));
    link.download = `${title.replace(/[^\w.+-]+/g, "_")}.svg`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  function openTarget() {
    const [id, ...rest] = location.hash.slice(1).split("&");
    const target = id && document.getElementById(decodeURIComponent(id));
    if (target && target.tagName === "DETAILS") target.open = true;
    const table = tables.get(target);
    if (table && rest.length) {
      table.apply(new URLSearchParams(rest.join("&")));
      table.form.scrollIntoView(); // no element has the whole fragment as its name
    }
  }

  const tables = new Map();
  for (const benchmark of document.querySelectorAll(".benchmark")) {
    if (benchmark.querySelector(".results")) tables.set(benchmark, new Results(benchmark));
  }
  document.querySelectorAll(".download").forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", () => save(button.closest("figure")));
  });
  tips();
  addEventListener("hashchange", openTarget);
  openTarget();
})();
