// The fields of a receiver that an owner writes: its name and its address.
import { TextField } from "../../ui/form.tsx";

interface ReceiverFieldsProps {
  /** What the ids of the fields begin with. */
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly onName: (name: string) => void;
  readonly onUrl: (url: string) => void;
}

export function ReceiverFields({ id, name, url, onName, onUrl }: ReceiverFieldsProps) {
  return (
    <>
      <TextField
        id={`${id}-name`}
        label="Name"
        required
        maxLength={100}
        placeholder="Order service"
        value={name}
        onText={onName}
      />
      <AddressField id={`${id}-url`} label="Address" url={url} onUrl={onUrl} />
    </>
  );
}

interface AddressFieldProps {
  readonly id: string;
  readonly label: string;
  readonly url: string;
  readonly onUrl: (url: string) => void;
}

export function AddressField({ id, label, url, onUrl }: AddressFieldProps) {
  return (
    <TextField
      id={id}
      label={label}
      isWide
      type="url"
      required
      maxLength={2000}
      placeholder="https://example.com/webhooks"
      value={url}
      onText={(text) => onUrl(text.trim())}
    />
  );
}
