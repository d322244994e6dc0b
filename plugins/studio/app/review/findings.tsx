import { Button } from '../parts/button.tsx'
import { findings, type Finding } from '../stores/review.ts'
import { dismiss, fix, goTo } from './intents.ts'

const order = ['error', 'warning', 'info'] as const
const names = { error: 'Error', warning: 'Warning', info: 'Hint' } as const

/** What the checks found, the worst first; the same finding in several places is one group. */
export function Findings() {
  if (findings.value === undefined) return <div class="skeleton" aria-busy="true" />
  const sorted = findings.value.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
  const groups = [...Map.groupBy(sorted, ({ rule, message }) => `${rule} ${message}`)]
  return (
    <section aria-label="Checks">
      <h2>Checks</h2>
      {groups.length === 0 && <p class="soft">The checks found nothing.</p>}
      {groups.map(([name, group]) => (
        <Group key={name} group={group} />
      ))}
    </section>
  )
}

function Group({ group }: { readonly group: readonly Finding[] }) {
  const [first] = group
  if (!first) return null
  const { severity, message } = first
  return (
    <details class="findings" data-severity={severity} open={severity === 'error'}>
      <summary>
        <b>{names[severity]}</b> {message} {group.length > 1 && <small>{group.length}</small>}
      </summary>
      <ul>
        {group.map((finding) => (
          <FindingRow key={finding.id} finding={finding} />
        ))}
      </ul>
    </details>
  )
}

const FindingRow = ({ finding }: { readonly finding: Finding }) => (
  <li>
    <small dir="auto">
      {finding.slug} {finding.value}
    </small>
    <span class="grow" />
    {finding.fix?.kind === 'auto' && (
      <Button needs="edit" onClick={() => void fix(finding)} title={finding.fix.label}>
        Fix
      </Button>
    )}
    <Button look="plain" onClick={() => void goTo(finding)}>
      Show
    </Button>
    <Button look="plain" needs="edit" onClick={() => void dismiss(finding)}>
      Dismiss
    </Button>
  </li>
)
