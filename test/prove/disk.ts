/** An operation in the journal of `disk.c`. */
export type DiskEvent =
  | { readonly kind: 'open'; readonly file: number; readonly path: string }
  | { readonly kind: 'write'; readonly file: number; readonly offset: number; readonly data: Buffer }
  | { readonly kind: 'truncate'; readonly file: number; readonly length: number }
  | { readonly kind: 'sync'; readonly file: number }
  | { readonly kind: 'unlink'; readonly path: string }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }
  | { readonly kind: 'output'; readonly data: Buffer }

/** The unsynced writes that survive a power loss. */
export type Survival = 'nothing' | 'some'

type DiskChange = Extract<DiskEvent, { kind: 'write' | 'truncate' }>

interface DiskContent {
  synced: Buffer
  length: number
  pending: DiskChange[]
}

const headerSize = 5 * 8
const sector = 512

/** Reads a journal of `disk.c`. */
export function* readJournal(journal: Buffer): Generator<DiskEvent> {
  for (let at = 0; at + headerSize <= journal.length;) {
    const [kind, file = 0, offset = 0, length = 0, size = 0] = [0, 8, 16, 24, 32].map((field) =>
      Number(journal.readBigInt64LE(at + field)),
    )
    const data = journal.subarray(at + headerSize, at + headerSize + size)
    at += headerSize + size
    if (kind === 1) yield { kind: 'open', file, path: data.toString() }
    else if (kind === 2) yield { kind: 'write', file, offset, data }
    else if (kind === 3) yield { kind: 'truncate', file, length }
    else if (kind === 4) yield { kind: 'sync', file }
    else if (kind === 5) yield { kind: 'unlink', path: data.toString() }
    else if (kind === 7)
      yield {
        kind: 'rename',
        path: data.subarray(0, offset).toString(),
        to: data.subarray(offset).toString(),
      }
    else yield { kind: 'output', data }
  }
}

/** A disk that replays events, and simulates a power loss after them. */
export function createDisk(): {
  apply(event: DiskEvent | undefined): void
  /** Files by path, with none or some of the unsynced writes, complete or torn. */
  afterPowerLoss(survival: Survival): Map<string, Buffer>
  /** The standard output so far. */
  output(): string
} {
  const paths = new Map<string, DiskContent>()
  const files = new Map<number, DiskContent>()
  const output: Buffer[] = []

  function apply(event: DiskEvent | undefined): void {
    if (event === undefined) return
    if (event.kind === 'output') output.push(event.data)
    else if (event.kind === 'unlink') paths.delete(event.path)
    else if (event.kind === 'rename') {
      // The service makes a new name durable before anything depends on it.
      const content = paths.get(event.path)
      if (content) paths.set(event.to, content)
      paths.delete(event.path)
    } else if (event.kind === 'open') {
      const content = paths.get(event.path) ?? { synced: Buffer.alloc(0), length: 0, pending: [] }
      paths.set(event.path, content)
      files.set(event.file, content)
    } else {
      const content = files.get(event.file)
      if (event.kind !== 'sync') content?.pending.push(event)
      else if (content) {
        for (const change of content.pending) applyChange(content, change)
        content.pending = []
      }
    }
  }

  return {
    apply,
    afterPowerLoss(survival) {
      const left = new Map<string, Buffer>()
      for (const [path, content] of paths) {
        // The index of the write-ahead log is shared memory and is rebuilt.
        if (path.endsWith('-shm')) continue
        const copy: DiskContent = { synced: Buffer.from(content.synced), length: content.length, pending: [] }
        if (survival === 'some') for (const change of content.pending) applyChange(copy, survivorOf(change))
        left.set(path, copy.synced.subarray(0, copy.length))
      }
      return left
    },
    output: () => Buffer.concat(output).toString(),
  }
}

/** The part of a change that survives, at random: all, nothing, or the first sectors. */
function survivorOf(change: DiskChange): DiskChange | undefined {
  const chance = Math.random()
  if (chance < 0.4) return undefined
  if (chance < 0.8 || change.kind === 'truncate') return change
  const sectors = Math.floor((Math.random() * change.data.length) / sector)
  return { ...change, data: change.data.subarray(0, sectors * sector) }
}

function applyChange(content: DiskContent, change: DiskChange | undefined): void {
  if (change === undefined) return
  if (change.kind === 'truncate') {
    if (change.length < content.length) content.synced.fill(0, change.length, content.length)
    content.length = change.length
    return
  }
  const end = change.offset + change.data.length
  if (end > content.synced.length)
    content.synced = Buffer.concat([content.synced, Buffer.alloc(Math.max(end, content.synced.length))])
  change.data.copy(content.synced, change.offset)
  content.length = Math.max(content.length, end)
}
