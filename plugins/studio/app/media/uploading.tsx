import { IconButton } from '../parts/button.tsx'
import { uploads } from '../stores/uploads.ts'

/** Files on their way, and those that were refused, with the reason. */
export const Uploading = () => (
  <ul class="uploading stack" aria-label="Uploads" aria-live="polite">
    {uploads.value.map(({ id, name, part, refusal, stop }) => (
      <li key={id}>
        <span dir="auto">{name}</span>
        {refusal === undefined ? (
          <progress value={part} aria-label={`${name}, sent`} />
        ) : (
          <span class="failure grow">{refusal}</span>
        )}
        <IconButton name="x" label={refusal === undefined ? `Stop ${name}` : `Hide ${name}`} onClick={stop} />
      </li>
    ))}
  </ul>
)
