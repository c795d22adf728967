import { start } from "../app.tsx";
import { KeysScreen } from "../screens/keys.tsx";

start({ keys: KeysScreen });
