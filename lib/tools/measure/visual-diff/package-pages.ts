// Pages that npm packages ship: templates, and demos of libraries that change a page while it is scrolled. They are fetched when
// they are compared, not copied; each is complete with files of its own package and of packages that content delivery networks
// serve.

export interface PackagePages {
  readonly package: string;
  readonly version: string;
  /** Folder of the package that is the root of its site; the package itself by default. */
  readonly root?: string;
  /** Paths below the root. */
  readonly pages: readonly string[];
}

export const packagePages: readonly PackagePages[] = [
  { package: "aos", version: "2.3.4", pages: ["demo/simple.html"] },
  {
    package: "skrollr",
    version: "0.6.26",
    pages: [
      "examples/classic.html",
      "examples/svg.html",
      "examples/path.html",
      "examples/pausing.html",
      "examples/fixed_nav.html",
      "examples/bg_constant_speed_less.html",
      "examples/bg_constant_speed_more.html",
      "examples/circular_motion.html",
      "examples/anchors.html",
      "examples/anchor_target.html",
    ],
  },
  {
    package: "rellax",
    version: "1.12.1",
    pages: [
      "tests/speed.html",
      "tests/percentage.html",
      "tests/center.html",
      "tests/style.html",
      "tests/range.html",
      "tests/wrapper.html",
      "tests/horizontal.html",
      "tests/directions.html",
    ],
  },
  { package: "impress.js", version: "1.1.0", pages: ["index.html"] },
  { package: "reveal.js", version: "6.0.2", pages: ["demo.html", "index.html"] },
  {
    package: "lax.js",
    version: "2.0.3",
    root: "docs",
    pages: [
      "index.html",
      "examples/scroll.html",
      "examples/html-inline.html",
      "examples/snap-scroll.html",
      "examples/inertia.html",
    ],
  },
  { package: "wowjs", version: "1.1.3", pages: ["demo.html"] },
  { package: "pagepiling.js", version: "1.5.6", pages: ["examples/demoPage.html", "examples/backgrounds.html"] },
  { package: "slick-carousel", version: "2.0.0", pages: ["index.html"] },
  {
    package: "owl.carousel",
    version: "2.3.4",
    root: "docs",
    pages: ["demos/basic.html", "demos/lazyLoad.html", "demos/animate.html"],
  },
  { package: "flickity", version: "3.0.0", pages: ["sandbox/adaptive-height.html", "sandbox/styles.html"] },
  { package: "stickyfilljs", version: "2.1.0", pages: ["test/index.html"] },
  { package: "milligram", version: "1.4.1", pages: ["example.html"] },
  { package: "hover.css", version: "2.3.2", pages: ["index.html"] },
  {
    package: "startbootstrap-sb-admin",
    version: "7.0.7",
    root: "dist",
    pages: [
      "index.html",
      "tables.html",
      "charts.html",
      "layout-static.html",
      "layout-sidenav-light.html",
      "login.html",
      "register.html",
    ],
  },
  {
    package: "startbootstrap-sb-admin-2",
    version: "4.1.4",
    pages: ["index.html", "charts.html", "tables.html", "cards.html", "buttons.html", "utilities-animation.html"],
  },
  {
    package: "startbootstrap-clean-blog",
    version: "6.0.9",
    root: "dist",
    pages: ["index.html", "post.html", "contact.html"],
  },
  { package: "startbootstrap-grayscale", version: "7.0.6", root: "dist", pages: ["index.html"] },
  { package: "startbootstrap-agency", version: "7.0.12", root: "dist", pages: ["index.html"] },
  { package: "startbootstrap-creative", version: "7.0.7", root: "dist", pages: ["index.html"] },
  { package: "startbootstrap-freelancer", version: "7.0.7", root: "dist", pages: ["index.html"] },
  { package: "startbootstrap-resume", version: "7.0.6", root: "dist", pages: ["index.html"] },
  { package: "startbootstrap-landing-page", version: "6.0.6", root: "dist", pages: ["index.html"] },
  { package: "startbootstrap-stylish-portfolio", version: "6.0.6", root: "dist", pages: ["index.html"] },
  { package: "startbootstrap-new-age", version: "6.0.7", root: "dist", pages: ["index.html"] },
  { package: "startbootstrap-coming-soon", version: "6.0.7", root: "dist", pages: ["index.html"] },
  {
    package: "startbootstrap-modern-business",
    version: "5.0.7",
    root: "dist",
    pages: ["index.html", "faq.html", "pricing.html"],
  },
  { package: "startbootstrap-one-page-wonder", version: "6.0.6", root: "dist", pages: ["index.html"] },
  { package: "startbootstrap-business-casual", version: "7.0.9", root: "dist", pages: ["index.html"] },
  { package: "startbootstrap-simple-sidebar", version: "6.0.6", root: "dist", pages: ["index.html"] },
  { package: "startbootstrap-scrolling-nav", version: "5.0.6", root: "dist", pages: ["index.html"] },
  {
    package: "gentelella",
    version: "4.2.0",
    root: "dist",
    pages: [
      "production/index.html",
      "production/landing.html",
      "production/kanban.html",
      "production/chat.html",
      "production/fixed_sidebar.html",
      "production/fixed_footer.html",
      "production/inbox.html",
      "production/invoice.html",
      "production/faq.html",
      "production/projects.html",
    ],
  },
  {
    package: "@tabler/preview",
    version: "1.2.0",
    root: "dist",
    pages: [
      "index.html",
      "layout-vertical.html",
      "layout-navbar-sticky.html",
      "layout-condensed.html",
      "chat.html",
      "photogrid.html",
      "scroll-spy.html",
      "marketing/index.html",
    ],
  },
  {
    package: "uikit",
    version: "3.25.29",
    pages: [
      "tests/scrollspy.html",
      "tests/parallax.html",
      "tests/sticky.html",
      "tests/sticky-parallax.html",
      "tests/sticky-navbar.html",
      "tests/grid-parallax.html",
      "tests/animation.html",
      "tests/offcanvas.html",
      "tests/height-viewport.html",
      "tests/cover.html",
      "tests/slideshow.html",
      "tests/background.html",
    ],
  },
  { package: "fomantic-ui", version: "2.9.4", pages: ["examples/attached.html", "examples/components/table.html"] },
];
