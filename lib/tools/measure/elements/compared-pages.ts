// The pages on which lists of elements are compared with Playwright's: real front ends that npm packages ship.

export interface ComparedPage {
  readonly package: string;
  readonly version: string;
  readonly root: string;
  readonly path: string;
  /** True for a page that no rule was written with: its figures say how good the rules are elsewhere. */
  readonly isHeldOut?: true;
}

export const comparedPages: readonly ComparedPage[] = [
  { package: "startbootstrap-sb-admin-2", version: "4.1.4", root: "", path: "tables.html" },
  { package: "startbootstrap-agency", version: "7.0.12", root: "dist", path: "index.html" },
  { package: "@tabler/preview", version: "1.2.0", root: "dist", path: "index.html" },
  { package: "gentelella", version: "4.2.0", root: "dist", path: "production/inbox.html" },
  { package: "uikit", version: "3.25.29", root: "", path: "tests/offcanvas.html" },
  { package: "fomantic-ui", version: "2.9.4", root: "", path: "examples/components/table.html" },
  { package: "milligram", version: "1.4.1", root: "", path: "example.html" },
  { package: "startbootstrap-sb-admin", version: "7.0.7", root: "dist", path: "register.html", isHeldOut: true },
  { package: "@tabler/preview", version: "1.2.0", root: "dist", path: "chat.html", isHeldOut: true },
  { package: "startbootstrap-modern-business", version: "5.0.7", root: "dist", path: "pricing.html", isHeldOut: true },
  { package: "admin-lte", version: "3.2.0", root: "", path: "pages/forms/general.html", isHeldOut: true },
  { package: "admin-lte", version: "3.2.0", root: "", path: "pages/tables/data.html", isHeldOut: true },
  { package: "admin-lte", version: "3.2.0", root: "", path: "pages/mailbox/mailbox.html", isHeldOut: true },
  { package: "admin-lte", version: "3.2.0", root: "", path: "index.html", isHeldOut: true },
  {
    package: "@creative-tim-official/argon-dashboard",
    version: "2.0.4",
    root: "",
    path: "pages/dashboard.html",
  },
  { package: "@creative-tim-official/argon-dashboard", version: "2.0.4", root: "", path: "pages/rtl.html" },
  { package: "ckeditor4", version: "4.25.2", root: "", path: "samples/index.html", isHeldOut: true },
  { package: "hover.css", version: "2.3.2", root: "", path: "index.html", isHeldOut: true },
  { package: "jquery-ui", version: "1.12.1", root: "", path: "demos/controlgroup/index.html", isHeldOut: true },
  { package: "reveal.js", version: "6.0.2", root: "", path: "demo.html", isHeldOut: true },
];
