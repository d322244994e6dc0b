import { useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { Difference } from '../review/difference.tsx'
import { accept, discard, isBusy, type Plan } from '../stores/chat.ts'
import { takeStep } from '../edit/intents.ts'
import { version } from '../stores/draft.ts'
import { say } from '../stores/toast.ts'

/** A plan: a tick box for each operation, and before and after in the words of the page. */
export function PlanCard({ turn, plan }: { readonly turn: number; readonly plan: Plan }) {
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  const numbers = plan.changes.slice(0, plan.opCount).map((_, at) => at + 1)
  const accepted = numbers.filter((number) => !left.has(number))
  const toggle = (number: number): void => {
    const next = new Set(left)
    if (!next.delete(number)) next.add(number)
    setLeft(next)
  }
  const apply = async (): Promise<void> => {
    if (await accept(turn, plan, accepted))
      say(`${accepted.length} changes applied`, { text: 'Undo', run: () => void takeStep('undo') })
  }
  const fields = plan.diff.pages.flatMap(({ blockDiffs }) =>
    blockDiffs.flatMap(({ fieldDiffs = [] }) => fieldDiffs),
  )
  return (
    <section class="plan" aria-label="Plan">
      <header>
        <b>{numbers.length === 1 ? '1 change planned' : `${numbers.length} changes planned`}</b>
        <small>{plan.slug}</small>
      </header>
      {numbers.map((number) => (
        <label key={number} class="op">
          <input type="checkbox" checked={!left.has(number)} onChange={() => toggle(number)} />
          <span>{plan.changes[number - 1]}</span>
        </label>
      ))}
      {fields.length > 0 && (
        <details class="op-details">
          <summary>Before and after</summary>
          {fields.map(({ path, before, after }) => (
            <Difference key={path} name={path} before={before} after={after} />
          ))}
        </details>
      )}
      {plan.draftVersion !== version.value && version.value > 0 && (
        <p class="warning">The draft has changed since this plan was made.</p>
      )}
      {plan.destructiveReasons.map((reason) => (
        <p key={reason} class="warning">
          {reason}
        </p>
      ))}
      <footer>
        <Button look="main" disabled={accepted.length === 0 || isBusy.value} onClick={() => void apply()}>
          Apply {accepted.length}
        </Button>
        <Button look="plain" disabled={isBusy.value} onClick={() => void discard(turn, plan)}>
          Discard
        </Button>
      </footer>
    </section>
  )
}
