import { dirname, join } from 'node:path'
import { randomIds, systemClock } from '../../../kernel/index.ts'
import { copyBlobs, createFileBlobs, createStoredBlobs } from '../../../plugins/blobs/index.ts'
import { loadTransfer, type DatabaseAddress } from '../../../plugins/store/index.ts'
import { collectionsOf, type Files } from '../../../plugins/store/port.ts'
import type { Assembly } from '../../assemble.ts'
import { CommandError, type Io } from './command.ts'

const given = { clock: systemClock, ids: randomIds }
/** Milliseconds between two drawings of the progress. */
const drawEveryMs = 100
const barWidth = 20
const inWords = (count: number): string => count.toLocaleString('en')

/** Draws a line that replaces itself, on a terminal only; `isLast` draws it in any case. */
function progressLine({ isTerminal, write }: Pick<Io, 'isTerminal' | 'write'>) {
  let drawn = 0
  return (text: string, isLast = false): void => {
    const now = systemClock.now().getTime()
    if (!isTerminal || (!isLast && now - drawn < drawEveryMs)) return
    drawn = now
    write(`\r\x1b[2K${text}`)
  }
}

function bar(done: number, all: number): string {
  const filled = Math.floor((done / Math.max(all, 1)) * barWidth)
  return `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${inWords(done)} of ${inWords(all)} documents`
}

/** Whether a folder or a bucket keeps the files of an installation, whatever its database is. */
const keepsFilesApart = ({ env, plugins }: Pick<Assembly, 'env' | 'plugins'>): boolean => {
  const options = plugins.find(({ plugin }) => plugin.name === 'blobs')?.options
  const hasUrl = typeof options === 'object' && options !== null && 'url' in options
  return hasUrl || (env['ORCHESTRATOR_GENERATED_IMAGE_DIR'] ?? env['BLOBS_URL']) !== undefined
}

/**
 * Copies documents, and the files of both databases: those of an SQLite file are in the folder `generated-images`
 * beside it. Files in a named folder or bucket stay there. Shows the progress, and returns the result as a sentence.
 */
export async function transferAll(
  assembly: Pick<Assembly, 'env' | 'plugins'>,
  io: Pick<Io, 'isTerminal' | 'write'>,
  {
    from,
    to,
    mayBeUsed = false,
  }: { readonly from: DatabaseAddress; readonly to: DatabaseAddress; readonly mayBeUsed?: boolean },
): Promise<string> {
  const draw = progressLine(io)
  const blobsOf = async (place: DatabaseAddress, files: Files | undefined) =>
    'file' in place
      ? createFileBlobs({ folder: join(dirname(place.file), 'generated-images'), ...given })
      : files && createStoredBlobs({ store: { health: async () => 'ok' }, files, ...given })
  let copiedFiles = 0
  async function copyFiles(fromFiles: Files | undefined, toFiles: Files | undefined): Promise<void> {
    const [source, target] = [await blobsOf(from, fromFiles), await blobsOf(to, toFiles)]
    if (!source || !target || keepsFilesApart(assembly)) return
    const { copied, missing } = await copyBlobs(source, target, (done) => draw(`${inWords(done)} files`))
    if (missing.length > 0) throw new CommandError(`the file ${missing[0]} did not arrive; repeat this`)
    copiedFiles = copied
  }
  const { transfer } = await loadTransfer()
  try {
    const onProgress = ({ done, all }: { readonly done: number; readonly all: number }) =>
      draw(bar(done, all), done === all)
    const collections = collectionsOf(assembly.plugins.map(({ plugin }) => plugin))
    const copied = await transfer(from, to, { collections, mayBeUsed, copyFiles, onProgress })
    return `${inWords(copied.documents)} documents in ${copied.collections} collections, and ${inWords(copiedFiles)} files`
  } finally {
    draw('', true)
  }
}
