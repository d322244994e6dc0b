import { Button } from '../parts/button.tsx'
import { failure, findings, sides, type ReviewFinding } from './findings-store.ts'
import { go } from '../stores/go.ts'
import { changeCount, titleOf } from '../stores/review.ts'
import { dismiss, fix } from './intents.ts'

const order = ['error', 'warning', 'info'] as const
const names = { error: 'Error', warning: 'Warning', info: 'Hint' } as const
const id = 'checks'

export const focusChecks = (): void => document.getElementById(id)?.focus()

/** What the checks found: that of what will be published first, the rest of the site on one line. */
export function Findings() {
  const { published, elsewhere } = sides.value
  const hasChanges = changeCount.value > 0
  return (
    <section class="checks" aria-label="Checks" id={id} tabIndex={-1}>
      <h2>Checks</h2>
      {failure.value !== undefined && <p class="failure">{failure.value}</p>}
      {!findings.value && failure.value === undefined && <div class="skeleton" aria-busy="true" />}
      {findings.value && hasChanges && published.length === 0 && (
        <p class="soft">The checks found nothing in what will be published.</p>
      )}
      {findings.value?.length === 0 && !hasChanges && <p class="soft">The checks found nothing.</p>}
      <Groups of={published} />
      {elsewhere.length > 0 && (
        <details>
          <summary>
            {elsewhere.length === 1 ? '1 finding' : `${elsewhere.length} findings`}
            {hasChanges ? ' elsewhere on the site' : ' on the site'}
          </summary>
          <Groups of={elsewhere} />
        </details>
      )}
    </section>
  )
}

/** The worst first; the same finding in several places is one group. */
function Groups({ of }: { readonly of: readonly ReviewFinding[] }) {
  const sorted = of.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
  return [...Map.groupBy(sorted, ({ rule, message }) => `${rule} ${message}`)].map(([name, group]) => (
    <Group key={name} group={group} />
  ))
}

function Group({ group }: { readonly group: readonly ReviewFinding[] }) {
  const [first] = group
  if (!first) return null
  const { severity, message } = first
  return (
    <details class="findings" data-severity={severity} open={severity === 'error'}>
      <summary>
        <b>{names[severity]}</b> {message} {group.length > 1 && <small>{group.length} places</small>}
      </summary>
      <ul>
        {group.map((finding) => (
          <FindingRow key={finding.id} finding={finding} />
        ))}
      </ul>
    </details>
  )
}

const FindingRow = ({ finding }: { readonly finding: ReviewFinding }) => (
  <li>
    <small dir="auto">
      {finding.slug !== undefined && titleOf(finding.slug)} {finding.value}
    </small>
    <div>
      {finding.fix?.kind === 'auto' && (
        <Button needs="edit" onClick={() => void fix(finding)} title={finding.fix.label}>
          Fix
        </Button>
      )}
      <Button variant="plain" onClick={() => void go({ slug: '/', ...finding })}>
        Show
      </Button>
      <Button variant="plain" needs="edit" onClick={() => void dismiss(finding)}>
        Dismiss
      </Button>
    </div>
  </li>
)
