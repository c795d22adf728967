import { start } from "../app.tsx";
import { CapturesScreen } from "../screens/captures.tsx";

start({ captures: CapturesScreen });
