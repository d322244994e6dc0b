import { useEffect } from 'preact/hooks'
import { hasModel, loadCost, priced, today } from '../stores/chat-cost.ts'
import { examplesFor } from '../stores/chat-examples.ts'
import { typed } from '../stores/chat-kept.ts'
import { manifest } from '../stores/block-types.ts'
import { blocks } from '../stores/draft.ts'

/** What the day has cost; without a language model, what works. */
export function Terms() {
  useEffect(() => void loadCost().catch(() => undefined), [])
  if (hasModel.value === false) return <Examples />
  const { total, budget } = today.value ?? {}
  if (!total || total.calls === 0) return null
  const spent = priced(total.estimatedUsd, total.inputTokens + total.outputTokens)
  return (
    <small class="terms">
      Today {spent}
      {budget && ` of ${priced(budget.perDayUsd, 0)}`}
    </small>
  )
}

const Examples = () => (
  <details class="terms">
    <summary>
      Exact edits work, with new texts in quotes. <code>ANTHROPIC_API_KEY</code> adds the rest.
    </summary>
    <ul>
      {examplesFor(blocks.value, manifest.value?.blocks ?? []).map((text) => (
        <li key={text}>
          <button
            type="button"
            onClick={({ currentTarget }) => {
              typed.value = text
              currentTarget.closest('details')?.removeAttribute('open')
              document.getElementById('message')?.focus()
            }}
          >
            {text}
          </button>
        </li>
      ))}
    </ul>
  </details>
)
