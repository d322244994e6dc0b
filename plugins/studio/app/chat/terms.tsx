import { useEffect } from 'preact/hooks'
import { hasModel, loadCost, priced, today } from './chat-cost.ts'
import { examples } from './chat-examples.ts'
import { takeExample } from '../stores/chat-conversation.ts'

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
    <summary>Exact edits work, with new texts in quotes.</summary>
    <ul>
      {examples.value.map((text) => (
        <li key={text}>
          <button
            type="button"
            onClick={({ currentTarget }) => {
              currentTarget.closest('details')?.removeAttribute('open')
              takeExample(text)
            }}
          >
            {text}
          </button>
        </li>
      ))}
    </ul>
    <p>
      A language model understands any wording. Who runs the server sets <code>ANTHROPIC_API_KEY</code>.
    </p>
  </details>
)
