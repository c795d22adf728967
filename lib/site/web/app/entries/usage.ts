import { start } from "../app.tsx";
import { UsageScreen } from "../screens/usage.tsx";

start({ usage: UsageScreen });
