import { useEffect } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { plan, planTurn, rows, tickAll, ticks, toggle } from '../stores/chat-plan.ts'
import { isBusy } from './chat-store.ts'
import { titleOf } from '../stores/draft.ts'
import { pointedAt } from '../stores/selection.ts'
import { applyPlan, discardPlan, planAgain } from './intents.ts'
import { TickedRow } from './op-row.tsx'

/** The plan that waits: a tick box for each operation, and before and after in the words of the page. */
export function PlanCard() {
  useEffect(() => () => void (pointedAt.value = undefined), [])
  const turn = planTurn.value
  if (!plan.value || !turn) return null
  const { slug, summary, changes, destructiveReasons, valid, opCount } = plan.value
  const count = ticks.value.size
  const deletionsFirst = rows.value.toSorted((a, b) => Number(b.isDeletion) - Number(a.isDeletion))
  const deleted = rows.value.filter(({ isDeletion, number }) => isDeletion && ticks.value.has(number)).length
  const isStale = !valid || rows.value.some(({ isChanged }) => isChanged)
  return (
    <section class="plan" aria-label="Plan">
      <header>
        <b>{opCount === 1 ? '1 change planned' : `${opCount} changes planned`}</b>
        <small dir="auto">{titleOf(slug)}</small>
      </header>
      {turn.result?.plannerSource !== 'demo' && (
        <p class="summary" dir="auto">
          {summary}
        </p>
      )}
      <ol>
        {deletionsFirst.map((row) => (
          <TickedRow
            key={row.number}
            row={row}
            line={changes[row.number - 1]}
            isTicked={ticks.value.has(row.number)}
            onToggle={() => toggle(row.number)}
          />
        ))}
      </ol>
      {changes.slice(opCount).map((line) => (
        <p key={line} dir="auto">
          {line}
        </p>
      ))}
      {isStale && (
        <p class="warning">
          {valid ? 'The page has changed since this plan was made.' : 'This plan no longer fits the page.'}{' '}
          <Button disabled={isBusy.value} onClick={() => void planAgain(turn)}>
            Plan again
          </Button>
        </p>
      )}
      {destructiveReasons.map((reason) => (
        <p key={reason} class="warning">
          {reason}
        </p>
      ))}
      <footer>
        <Button
          variant="main"
          needs="approve"
          disabled={count === 0 || isBusy.value || !valid}
          onClick={() => void applyPlan()}
        >
          Apply {count}
          {deleted > 0 && `, deletes ${deleted}`}
        </Button>
        <Button disabled={isBusy.value} onClick={() => void discardPlan()}>
          Discard
        </Button>
        {count < opCount && (
          <Button variant="plain" onClick={tickAll}>
            Tick all
          </Button>
        )}
      </footer>
    </section>
  )
}
