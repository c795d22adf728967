import { start } from "../app.tsx";
import { AccountScreen } from "../screens/account.tsx";

start({ account: AccountScreen });
