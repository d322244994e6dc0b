import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import { ask, read } from './ask.ts'
import { markShared } from './choose.ts'
import { count, createDraft, look, type Editor, type Intent, type ProvenDraft } from './editors.ts'
import { follow, type Follower } from './follow.ts'
import { onSmallDisk, prove } from './processes.ts'
import { startService } from './service.ts'
import { settle } from './settle.ts'
import { request, startTraffic } from './traffic.ts'

/** The number of refused or answered changes of each editor to wait for. */
const often = 5
/** Timeout for that in milliseconds. */
const patience = 20_000

const Ready = v.object({ checks: v.object({ store: v.string() }) })

/**
 * Fills the disk of the service while editors change drafts over HTTP: changes are refused, reads continue, and the
 * service recovers without a restart when there is space, without traces of refused changes.
 */
await prove('disk-full-http', (folder) => onSmallDisk(folder, 24, fill))

async function fill(place: string): Promise<string> {
  const [data, ballast] = [join(place, 'data'), join(place, 'ballast')]
  const service = startService(data)
  let next: typeof service | undefined
  try {
    const { port } = await service.ready
    const drafts = await Promise.all(['one', 'two'].map((name) => createDraft(port, name, 4)))
    const streams = drafts.map((draft) => ({ draft, stream: follow(port, draft) }))
    await Promise.all(streams.map(({ stream }) => stream.begun))
    const editors = drafts.flatMap(({ editors }) => editors)

    await workUntil(port, drafts, () => editors.every(({ answered }) => answered >= often))
    await workUntil(port, drafts, () => {
      takeAllRoom(ballast)
      return editors.every(({ refusedInRow }) => refusedInRow >= often)
    })
    const before = count(drafts, 'answered')
    for (const draft of drafts) await settle('while the disk is full', port, draft)
    await expectReady(port, 503)
    const waiting = await Promise.all(editors.map((editor) => refusedChange(port, editor)))
    await Promise.all(streams.map(({ draft, stream }) => expectTrue(port, draft, stream)))

    rmSync(ballast)
    for (const each of waiting) await expectOnce(port, each)
    const enough = new Map(editors.map((editor) => [editor, editor.answered + often]))
    await workUntil(port, drafts, () =>
      editors.every((editor) => editor.answered >= (enough.get(editor) ?? 0)),
    )
    await service.logged('store can write again')
    await expectReady(port, 200)
    for (const draft of drafts) await settle('after room was made', port, draft)
    await Promise.all(streams.map(({ draft, stream }) => expectTrue(port, draft, stream)))

    service.kill('SIGTERM')
    const how = await service.gone
    const unexpected = service.faults().filter((line) => !line.includes('"msg":"store cannot write"'))
    if (how !== 0 || unexpected.length > 0) throw new Error(`it ended with ${how}: ${unexpected.join('\n')}`)
    next = startService(data, { port })
    await next.ready
    for (const draft of drafts) await settle('after the next start', port, draft)
    return (
      `${before} changes answered until the disk was full, ${count(drafts, 'refused')} refused, none lost, ` +
      `none half there, no event of a refused one; ${count(drafts, 'answered') - before} answered when there was room`
    )
  } finally {
    service.kill('SIGKILL')
    next?.kill('SIGKILL')
    await Promise.all([service.gone, next?.gone])
  }
}

/** Writes to a file until the disk is full. */
function takeAllRoom(ballast: string): void {
  for (const size of [1024 * 1024, 4096]) {
    try {
      for (;;) appendFileSync(ballast, Buffer.alloc(size))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
    }
  }
}

/** Lets all editors work until a condition holds. */
async function workUntil(port: number, drafts: readonly ProvenDraft[], holds: () => boolean): Promise<void> {
  const traffic = startTraffic(() => ({ port }), drafts)
  const began = performance.now()
  while (!holds()) {
    if (performance.now() - began > patience) throw new Error(`timeout waiting for ${holds.toString()}`)
    await Promise.race([pause(10), traffic.over])
  }
  traffic.stop()
  await traffic.over
}

/** A refused change and its editor. */
interface Waiting {
  readonly editor: Editor
  readonly intent: Intent
}

async function expectReady(port: number, status: 200 | 503): Promise<void> {
  const { checks } = read(await ask({ port }, { path: '/readyz' }), Ready, status)
  const isOk = checks.store === 'ok'
  if (isOk !== (status === 200)) throw new Error(`unexpected readiness of the store: ${checks.store}`)
}

/** Requests changes with an Idempotency-Key until one is refused, because small ones may still fit. */
async function refusedChange(port: number, editor: Editor): Promise<Waiting> {
  for (;;) {
    const intent = markShared(editor.draft)
    if (intent.key === undefined) continue
    const { status } = await request({ port }, editor, intent)
    if (status === 503) return { editor, intent }
  }
}

/** Repeats a refused change twice: it is applied once, and the second response is the same. */
async function expectOnce(port: number, { editor, intent }: Waiting): Promise<void> {
  const { status, text } = await request({ port }, editor, intent)
  const again = await ask({ port }, intent.request)
  if (status !== 200 || again.text !== text)
    throw new Error(`with free space the responses were ${text}, then ${again.text}`)
}

/** Checks that a stream sent the changes in order, up to the newest, and no refused change. */
async function expectTrue(port: number, draft: ProvenDraft, { changes, until }: Follower): Promise<void> {
  const { version: head } = await look({ port }, draft)
  await until(head)
  const versions = changes.map(({ previewVersion }) => previewVersion)
  const isInOrder = versions.every((version, index) => version > (versions[index - 1] ?? 0))
  if (isInOrder && versions.at(-1) === head) return
  throw new Error(`at version ${head} a stream had sent ${versions.join()}`)
}
