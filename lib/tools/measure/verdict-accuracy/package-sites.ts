// Npm packages whose pages measure how often a right page is accused: an open half, with which rules are written, and a reserved
// half, which only measures them. Pages are fetched when they are captured, not copied.
import type { ProblemCode } from "../../../contract/problems/problem-kinds.ts";

export type Half = "open" | "reserved";

export interface PackageSite {
  readonly package: string;
  readonly version: string;
  readonly half: Half;
  /** Folders whose pages are captured, without those below them. */
  readonly folders: readonly string[];
  /** What somebody who looked at a page found wrong with it, by its path. */
  readonly faulty?: Readonly<Record<string, readonly ProblemCode[]>>;
}

type Listed = readonly [spec: string, ...folders: string[]];

const open: readonly Listed[] = [
  ["@tabler/preview@1.2.0", "dist", "dist/marketing"],
  ["tabler-ui@0.0.34", "dist"],
  ["gentelella-rtl@1.4.0", "public", "vendors/Chart.js/samples"],
  ["admin-lte@4.0.0", "dist/docs", "dist/pages", "dist/layout", "dist/docs/javascript"],
  ["adminlte@2.4.1", "pages/UI", "pages/examples", "pages/layout", "pages/charts", "pages/mailbox"],
  ["coreui.io@1.0.0-alpha.6", "Static_Full_Project_GULP"],
  ["uikit@3.25.29", "tests"],
  ["vis@4.21.0", "examples/graph2d", "examples/timeline/other", "examples/network/other"],
  ["jquery-ui@1.12.1", "demos/datepicker", "demos/autocomplete", "demos/slider", "demos/resizable", "demos/dialog"],
  ["nvd3@1.8.6", "examples"],
  ["spectre.css@0.5.9", "docs", "docs/components", "docs/utilities", "docs/elements"],
  ["foundation-emails@2.5.1", "templates", "test/visual/pages"],
  ["medium-editor@5.23.3", "demo"],
  ["startbootstrap-sb-admin@7.0.7", "dist"],
  ["startbootstrap-sb-admin-2-bs5@4.1.5", ""],
  ["startbootstrap-creative@7.0.7", "dist"],
  ["stisla@2.3.0", ""],
  ["webslides@1.5.0", "demos", ""],
  ["leaflet-draw@1.0.4", "docs/examples"],
  ["gojs@2.1.56", "samples", "intro"],
  ["hls.js@0.12.4", "coverage/lcov-report/src/utils", "coverage/lcov-report/src/controller"],
  ["summernote@0.8.20", "examples"],
  ["material-dashboard@3.1.0", "pages"],
];

const reserved: readonly Listed[] = [
  ["adminator@1.0.0", "src"],
  [
    "adminbsb-materialdesign@1.0.7",
    "pages/ui",
    "pages/examples",
    "pages/tables",
    "pages/widgets",
    "documentation/templates",
  ],
  ["equation-admin-template@1.0.0", "ltr"],
  ["sneat-bootstrap-html-admin-template-free@1.0.0", "html"],
  ["themekit@2.1.0", "pages", "pages/ui"],
  ["@digitallyhappy/backstrap@0.5.1", "dist", "dist/base"],
  [
    "@themesberg/volt-bootstrap-5-dashboard@1.4.1",
    "src/pages/components",
    "src/pages",
    "html&css/pages",
    "html&css/pages/components",
  ],
  ["soft-ui-dashboard@1.0.1", "pages"],
  ["material-kit@2.0.4", "", "examples"],
  ["weui@2.6.26", "dist/example"],
  ["jquery-weui@1.2.1", "dist/demos"],
  ["picnic@7.1.0", "docs", "", "src/plugins/table", "src/plugins/tabs"],
  ["dc@3.2.1", "web/examples", "web/transitions", "web"],
  ["morris.js@0.5.0", "examples"],
  ["selectize@0.12.6", "examples"],
  ["dygraphs@2.2.2", "_site/tests", "_site", "_site/jsdoc/symbols"],
  ["packery@3.0.0", "sandbox"],
  ["leaflet.markercluster@1.5.3", "example"],
  ["ace-builds@1.4.12", "demo", ""],
  ["bootstrap-select@1.13.18", "docs/custom_theme", "tests"],
  ["jstree@3.3.17", "demo/basic", "test/visual/desktop", "test/visual/mobile"],
  ["jsgrid@1.5.3", "demos"],
  ["snapsvg@0.5.1", "demos/tutorial", "demos/snap-mascot", "doc"],
  ["paper@0.12.20", "examples/Paperjs.org", "dist/docs/classes"],
  ["yuidocjs@0.10.2", "output/api/classes", "output/api/files", "output/api/modules"],
  ["jsxgraph@0.99.7", "distrib/docs/symbols", "distrib/docs", "examples"],
  ["flexslider@2.7.2", "demo"],
  ["ckeditor4@4.25.2", "samples", "samples/old"],
  ["bootstrap-switch@3.4.0", "docs"],
  ["jquery-colorbox@1.6.4", "example1", "example2", "example3"],
  ["daterangepicker@3.1.0", "", "website"],
  ["theia-sticky-sidebar@1.7.0", "examples"],
  ["mdbootstrap@4.20.0", "", "exclusive-templates"],
  ["98.css@0.1.21", "dist"],
  ["remodal@1.1.1", "examples"],
  ["lightgallery@1.10.0", "demo"],
  ["particles.js@2.0.0", "demo"],
  ["mathjax@2.7.9", "test"],
];

/** Pages that are what a code says, by package and path, as a look at their pictures has shown. */
const faulty: Readonly<Record<string, NonNullable<PackageSite["faulty"]>>> = {
  vis: { "examples/timeline/other/horizontalScroll.html": ["CUT_OFF"] },
  "@themesberg/volt-bootstrap-5-dashboard": { "src/pages/settings.html": ["CUT_OFF"] },
  "ace-builds": { "demo/scroll_test.html": ["CUT_OFF"] },
  // Its heading is to be set in a font that this machine lacks.
  ckeditor4: { "samples/old/inlineall.html": ["FONTS_MISSING"] },
};

export const packageSites: readonly PackageSite[] = [
  ...open.map((listed) => siteFrom(listed, "open")),
  ...reserved.map((listed) => siteFrom(listed, "reserved")),
];

function siteFrom([spec, ...folders]: Listed, half: Half): PackageSite {
  const at = spec.lastIndexOf("@");
  const name = spec.slice(0, at);
  return {
    package: name,
    version: spec.slice(at + 1),
    half,
    folders,
    ...(faulty[name] && { faulty: faulty[name] }),
  };
}
