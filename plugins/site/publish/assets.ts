import { join } from 'node:path'
import { writeFileAtomically } from '../files/content-file.ts'
import type { PublishedAsset } from './handler.ts'

/** The names that the service generates: one dot and no separator, so that no file can leave its folder. */
const safeName = /^[A-Za-z0-9_-]{1,160}\.(?:png|jpg|jpeg|webp|gif|pdf)$/
const base64 = /^[A-Za-z0-9+/]+={0,2}$/

type Assets = Readonly<Record<string, PublishedAsset>>

/** The first problem of the files of a publication, as a sentence; `undefined` without one. */
export function assetProblem(assets: Assets): string | undefined {
  for (const { fileName, data } of Object.values(assets)) {
    if (!safeName.test(fileName)) {
      return `The asset name ${JSON.stringify(fileName.slice(0, 80))} is not accepted: `
        + 'send at most 160 letters, digits, - and _, then .png, .jpg, .jpeg, .webp, .gif or .pdf.'
    }
    if (!base64.test(data)) return `The data of asset ${fileName} is not base64: send its bytes in standard base64 without line breaks.`
  }
  return undefined
}

/** Writes the files of a publication into a folder. */
export async function writeAssets(folder: string, assets: Assets): Promise<void> {
  for (const { fileName, data } of Object.values(assets)) await writeFileAtomically(join(folder, fileName), Buffer.from(data, 'base64'))
}
