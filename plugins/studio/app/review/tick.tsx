import { canChoose, isTicked, tick } from '../stores/ticks.ts'

interface TickProps {
  readonly slug: string
  readonly name: string
}

/** Whether a publish sends a card; with one card there is nothing to choose. */
export const Tick = ({ slug, name }: TickProps) =>
  canChoose.value ? (
    <label class="tick">
      <input
        type="checkbox"
        aria-label={`Publish ${name}`}
        checked={isTicked(slug)}
        onChange={({ currentTarget }) => tick(slug, currentTarget.checked)}
      />
    </label>
  ) : null
