import { edit } from '../edit/intents.ts'
import { IconButton } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { blocks } from '../stores/draft.ts'
import { dismissFirstMinute, done, isDismissed, next, steps, type TourStep } from './first-minute-store.ts'
import { select, selected } from '../stores/selection.ts'
import { view } from '../stores/ui.ts'
import { askChat } from './keys.ts'

const review = (): void => void (view.value = 'review')

/** Each step can also be done from here, so that a keyboard needs no page. */
const actions: Readonly<Record<TourStep, { readonly text: string; readonly run: () => void }>> = {
  select: { text: 'Click a text on the page', run: () => selectFirst() },
  change: { text: 'Change it', run: () => edit(selected.value?.blockId ?? selectFirst()) },
  ask: { text: 'Ask the chat for a change', run: askChat },
  review: { text: 'Review what changed', run: review },
  publish: { text: 'Publish', run: review },
}

function selectFirst(): string {
  const id = blocks.value.find(({ type }) => type === 'Hero')?.id ?? blocks.value[0]?.id ?? ''
  if (id !== '') select({ blockId: id })
  return id
}

/** The list for a person who has never been here. */
export function FirstMinute() {
  if (isDismissed.value) return null
  return (
    <section class="first-minute" aria-labelledby="first-minute">
      <header>
        <h2 id="first-minute">{next.value === undefined ? 'You know the studio now' : 'The first minute'}</h2>
        <IconButton name="x" label="Close the first minute" onClick={dismissFirstMinute} />
      </header>
      <ol>
        {steps.map((step) => (
          <li
            key={step}
            data-done={done.value.has(step)}
            aria-current={next.value === step ? 'step' : undefined}
          >
            <Icon name={done.value.has(step) ? 'circle-check' : 'circle'} />
            <button type="button" onClick={actions[step].run}>
              {actions[step].text}
              {done.value.has(step) && <span class="unseen">, done</span>}
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}
