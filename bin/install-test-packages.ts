// Installs the npm packages of the tests, unless they are there: for programs that import one of them before they could install it.
import { installPackages, TESTS } from "../lib/tools/test-packages.ts";

installPackages(TESTS);
