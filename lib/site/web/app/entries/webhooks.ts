import { start } from "../app.tsx";
import { WebhooksScreen } from "../screens/webhooks.tsx";

start({ webhooks: WebhooksScreen });
