import { refusals } from './refusals.ts'

/**
 * The media type that the beginning of a file shows, in lower case and without parameters; `undefined` where it shows none.
 *
 * Refuses with 503 `file_types_missing` where the package file-type is not installed.
 */
export async function contentTypeOf(head: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await importFileTypes()
  return (await fileTypeFromBuffer(head))?.mime.split(';', 1)[0]
}

/** Imported with the first upload: a start should not wait for it. Bundlers let an import in a `try` fail when it is run. */
async function importFileTypes() {
  try {
    return await import('file-type')
  } catch {
    throw refusals.fileTypesMissing()
  }
}
