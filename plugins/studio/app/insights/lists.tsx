import type { ComponentChildren } from 'preact'
import { dateOf } from '../stores/formats.ts'
import { doctor, endpoints, tokens } from './insights-store.ts'
import type { Loaded } from '../stores/loaded.ts'

interface ListProps<T> {
  readonly title: string
  readonly source: Loaded<T>
  readonly empty: string
  readonly rows: (value: T) => readonly ComponentChildren[]
  readonly remedy?: string
}

/** A list of facts with its states: it loads, it cannot be read, it is empty. */
function List<T>({ title, source, empty, rows, remedy }: ListProps<T>) {
  const [value, failure] = [source.value.value, source.failure.value]
  const list = value === undefined ? [] : rows(value)
  return (
    <section class="card" aria-busy={(value ?? failure) === undefined}>
      <h2>{title}</h2>
      {failure !== undefined && <p class="soft">{failure}</p>}
      {value !== undefined && list.length === 0 && <p class="soft">{empty}</p>}
      <ul class="facts">{list}</ul>
      {remedy !== undefined && (
        <p class="soft">
          <code>{remedy}</code>
        </p>
      )}
    </section>
  )
}

export const Tokens = () => (
  <List
    title="Tokens"
    source={tokens}
    empty="There are no scoped tokens yet."
    remedy="npx content-orchestrator token create"
    rows={({ tokens }) =>
      tokens.map(({ id, name, can, site, expires, used, revoked }) => (
        <li key={id}>
          <div class="grow">
            <b>{name}</b> <small>{id}</small>
            <p>
              {can.join(', ')}
              {site !== undefined && ` on ${site}`}
            </p>
          </div>
          <small>
            {stateOf({ expires, revoked })}
            <br />
            {used === undefined ? 'never used' : `used ${dateOf(used)}`}
          </small>
        </li>
      ))
    }
  />
)

function stateOf({
  expires,
  revoked,
}: {
  readonly expires?: string | undefined
  readonly revoked?: string | undefined
}) {
  if (revoked !== undefined) return `revoked ${dateOf(revoked)}`
  if (expires === undefined) return 'valid for ever'
  return `${Date.parse(expires) < Date.now() ? 'expired' : 'valid until'} ${dateOf(expires)}`
}

export const Webhooks = () => (
  <List
    title="Webhooks"
    source={endpoints}
    empty="No webhook is configured."
    rows={({ endpoints }) =>
      endpoints.map(({ name, origin, events, waiting }) => (
        <li key={name}>
          <div class="grow">
            <b>{name}</b> <small>{origin}</small>
            <p>{events.join(', ')}</p>
          </div>
          <small>{waiting === 0 ? 'nothing waits' : `${waiting} wait`}</small>
        </li>
      ))
    }
  />
)

const order = ['unsafe', 'warn', 'ok'] as const
const words = { unsafe: 'Unsafe', warn: 'Check this', ok: 'Good' } as const
const stateClasses = { unsafe: 'removed', warn: 'warning', ok: 'added' } as const

export const Doctor = () => (
  <List
    title="Ready for production"
    source={doctor}
    empty="This installation cannot be checked from here."
    remedy="npx content-orchestrator doctor"
    rows={({ findings }) =>
      findings
        .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
        .map(({ item, state, says }) => (
          <li key={item}>
            <div class="grow">
              <b>{item}</b>
              <p>{says}</p>
            </div>
            <b class={`state ${stateClasses[state]}`}>{words[state]}</b>
          </li>
        ))
    }
  />
)
