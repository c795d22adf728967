import { start } from "../app.tsx";
import { BillingScreen } from "../screens/billing.tsx";

start({ billing: BillingScreen });
