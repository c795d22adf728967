import { start } from "../app.tsx";
import { OverviewScreen } from "../screens/overview.tsx";

start({ "": OverviewScreen });
