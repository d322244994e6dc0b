import type { Blobs } from './port.ts'

/** Copies all files to another place, where those of the same name are replaced; names those that did not arrive. */
export async function copyBlobs(from: Blobs, to: Blobs, onFile: (done: number) => void) {
  const wanted = new Map<string, number>()
  for await (const { key, type, size } of from.list()) {
    const file = await from.open(key)
    if (!file) continue
    await to.put(file.bytes, { key, type, extension: '' })
    wanted.set(key, size)
    onFile(wanted.size)
  }
  const present = new Map(await Array.fromAsync(to.list(), ({ key, size }) => [key, size] as const))
  const missing = [...wanted].filter(([key, size]) => present.get(key) !== size).map(([key]) => key)
  return { copied: wanted.size, missing }
}
