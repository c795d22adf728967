// The fields of a receiver that an owner writes: its name and its address.

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
      <div class="field">
        <label for={`${id}-name`}>Name</label>
        <input
          id={`${id}-name`}
          required
          maxLength={100}
          placeholder="Order service"
          value={name}
          onInput={(event) => onName(event.currentTarget.value)}
        />
      </div>
      <div class="field field-wide">
        <label for={`${id}-url`}>Address</label>
        <input
          id={`${id}-url`}
          type="url"
          required
          maxLength={2000}
          placeholder="https://example.com/webhooks"
          value={url}
          onInput={(event) => onUrl(event.currentTarget.value.trim())}
        />
      </div>
    </>
  );
}
