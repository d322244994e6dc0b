/** Types of services, slots, options and variables. Compiled, never run. */
import * as v from 'valibot'
import { definePlugin, gates, give, optional, publicGate, service, slot, use } from '../../kernel/index.ts'
import type { Gate, Kernel, Mount, Plugin } from '../../kernel/index.ts'
import { same } from './same.ts'

interface Drafts {
  read(id: string): Promise<string>
}
interface Check {
  run(): number
}
const drafts = service<Drafts>('drafts')
const names = service<readonly string[]>('names')
const checks = slot<Check>('checks')
const memory: Drafts = { read: async (id) => id }

// A plugin receives its needs, typed, and nothing else.
definePlugin({
  name: 'needy',
  tag: 'T',
  needs: { drafts, maybe: optional(drafts), checks },
  options: v.object({ size: v.optional(v.number(), 3), level: v.picklist(['low', 'high']) }),
  env: v.object({ KEY: v.optional(v.string()), PORT: v.pipe(v.string(), v.transform(Number)) }),
}).setup(({ needs, options, env }) => {
  same<typeof needs.drafts, Drafts>(true)
  same<typeof needs.maybe, Drafts | undefined>(true)
  same<typeof needs.checks, readonly Check[]>(true)
  same<typeof options, { size: number; level: 'low' | 'high' }>(true)
  same<typeof env, { KEY?: string | undefined; PORT: number }>(true)
  // @ts-expect-error nothing outside `needs` is reachable
  void needs.names
  // @ts-expect-error no variable outside `env` is readable
  void env.NODE_ENV
  // @ts-expect-error an optional service may be missing
  void needs.maybe.read('a')
  // @ts-expect-error needs are readonly
  needs.drafts = memory
  return {}
})

// A plugin must give the services that it declares, in their types.
definePlugin({ name: 'giver', tag: 'T', gives: { drafts, checks } }).setup(() => ({ gives: { drafts: memory, checks: { run: () => 1 } } }))
// @ts-expect-error one of two declared services is missing
definePlugin({ name: 'giver', tag: 'T', gives: { drafts, names } }).setup(() => ({ gives: { drafts: memory } }))
// @ts-expect-error the service has another type
definePlugin({ name: 'giver', tag: 'T', gives: { drafts } }).setup(() => ({ gives: { drafts: { read: (id: string) => id } } }))
// @ts-expect-error a slot takes one value from each plugin
definePlugin({ name: 'giver', tag: 'T', gives: { checks } }).setup(() => ({ gives: { checks: [{ run: () => 1 }] } }))
// @ts-expect-error the service is not declared
definePlugin({ name: 'giver', tag: 'T' }).setup(() => ({ gives: { drafts: memory } }))
// @ts-expect-error `optional` is for needs only
definePlugin({ name: 'giver', tag: 'T', gives: { drafts: optional(drafts) } })

// Options are checked where a plugin is used.
const strict = definePlugin({
  name: 'strict',
  tag: 'T',
  options: v.object({ level: v.picklist(['low', 'high']), size: v.optional(v.number(), 3) }),
}).setup(() => ({}))
const lenient = definePlugin({ name: 'lenient', tag: 'T', options: v.optional(v.object({ size: v.optional(v.number()) })) }).setup(
  () => ({}),
)
const bare = definePlugin({ name: 'bare', tag: 'T' }).setup(() => ({}))
same<typeof strict, Plugin<{ level: 'low' | 'high'; size?: number | undefined }>>(true)
use(strict, { level: 'low' })
use(strict, { level: 'high', size: 2 })
use(lenient)
use(lenient, {})
use(bare)
// @ts-expect-error options are required
use(strict)
// @ts-expect-error not one of the levels
use(strict, { level: 'middle' })
// @ts-expect-error no such option
use(strict, { level: 'low', depth: 2 })
// @ts-expect-error a plugin without options takes none
use(bare, { size: 2 })

// Seeds of the host match their refs.
give(drafts, memory)
give(gates.access, publicGate)
// @ts-expect-error a gate is not a store of drafts
give(drafts, publicGate)
// @ts-expect-error a method is missing
give(drafts, {})
// @ts-expect-error a slot is filled by plugins, not by the host
give(checks, { run: () => 1 })

// A refusal of a gate is one that callers know.
const closed: Gate = {
  mounting: () => ({ mount: false, because: 'closed' }),
  admit: () => ({ admit: false, status: 401, error: 'unauthorized' }),
}
// @ts-expect-error a gate that does not mount its routes gives a reason
const silent: Gate = { ...closed, mounting: () => ({ mount: false }) }
// @ts-expect-error a gate refuses with 401, 403 or 503
const odd: Gate = { ...closed, admit: () => ({ admit: false, status: 404, error: 'gone' }) }
// @ts-expect-error the body is not read yet
const nosy: Gate = { ...closed, admit: async (request) => (await request.read(1), { admit: true, caller: { via: 'anyone' } }) }
void [silent, odd, nosy]

// Services of a running kernel are typed too.
declare const kernel: Kernel
declare const mounted: Mount
same<ReturnType<typeof kernel.get<Drafts>>, Drafts>(true)
same<Awaited<ReturnType<typeof mounted.get<Drafts>>>, Drafts>(true)
// @ts-expect-error a slot has no single value
kernel.get(checks)
