import { start } from "../app.tsx";
import { DeletedScreen } from "../screens/deleted.tsx";
import { NotMeScreen } from "../screens/not-me.tsx";
import { SignInScreen } from "../screens/sign-in.tsx";
import { UndoAddressScreen } from "../screens/undo-address.tsx";

start({
  "sign-in": SignInScreen,
  "undo-address": UndoAddressScreen,
  "not-me": NotMeScreen,
  deleted: DeletedScreen,
});
