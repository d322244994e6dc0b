import type { Shape } from '../../kernel/index.ts'
import type { AuthHook } from '../../plugins/auth/port.ts'
import { passwordHash, secrets } from './callers.ts'

type Variables = Readonly<Record<string, string>>

/** One way to set the service up. */
export interface Installation {
  readonly shape: Shape
  /** Its value on each axis of its shape. */
  readonly labels: Readonly<Record<string, string>>
  readonly env: Variables
  readonly hook?: AuthHook
}

/** What one value of an axis adds to an installation. */
type InstallationPart = Pick<Installation, 'hook'> & { readonly env?: Variables }
type Axes = Readonly<Record<string, Readonly<Record<string, InstallationPart>>>>

const set = (env: Variables): InstallationPart => ({ env })
const password = { ACCESS_PASSWORD_HASH: passwordHash, ACCESS_TOKEN_SECRET: secrets.signing }
const fixed = { ORCHESTRATOR_ACCESS_TOKEN: secrets.access }

const nodeEnv: Axes = { NODE_ENV: { development: {}, production: set({ NODE_ENV: 'production' }) } }
const publish: Axes = { PUBLISH_TOKEN: { unset: {}, set: set({ PUBLISH_TOKEN: secrets.publish }) } }
const orchestrator: Axes = {
  credential: { none: {}, password: set(password), fixed: set(fixed), both: set({ ...password, ...fixed }) },
  ...nodeEnv,
  ...publish,
  AGENT_SURFACE: { unset: {}, on: set({ AGENT_SURFACE: 'on' }), off: set({ AGENT_SURFACE: 'off' }) },
}

/** The settings of each shape that affect access. */
const axes: Readonly<Record<Shape, Axes>> = {
  standalone: { ORCHESTRATOR_GATE: { unset: {}, all: set({ ORCHESTRATOR_GATE: 'all' }) }, ...orchestrator },
  library: {
    hook: { none: {}, admits: { hook: () => true }, refuses: { hook: () => false } },
    ...orchestrator,
  },
  site: {
    ...nodeEnv,
    ...publish,
    DRAFT_MODE_SECRET: { unset: {}, set: set({ DRAFT_MODE_SECRET: secrets.draft }) },
  },
}

export const shapes = ['standalone', 'library', 'site'] as const satisfies readonly Shape[]

/** Every installation of a shape: one for each choice of a value on each axis. */
export function installationsOf(shape: Shape): readonly Installation[] {
  const beginning: readonly Installation[] = [{ shape, labels: {}, env: {} }]
  return Object.entries(axes[shape]).reduce(
    (all, [axis, values]) =>
      all.flatMap(({ labels, env, ...rest }) =>
        Object.entries(values).map(([label, { env: more, ...part }]) => {
          return { ...rest, ...part, labels: { ...labels, [axis]: label }, env: { ...env, ...more } }
        }),
      ),
    beginning,
  )
}
