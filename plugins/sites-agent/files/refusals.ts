import { defineRefusal } from '../../../kernel/index.ts'

/** What is refused of paths and sites in the workspace. */
export const fileRefusals = {
  outside: defineRefusal({ status: 400, code: 'path_outside', reason: () => 'This path does not lie inside of the site, or a link is on the way to it. Use a path from the folder of the site.' }),
  isProtected: defineRefusal({ status: 400, code: 'path_protected', reason: () => 'Files with this name are neither read nor written by an agent: repositories, variables and keys. Ask the person who owns the site.' }),
  notThere: defineRefusal({ status: 404, code: 'not_found', reason: () => 'There is no file or folder at this path. List the folder first.' }),
  isFolder: defineRefusal({ status: 400, code: 'is_folder', reason: () => 'This path is a folder. Name a file in it.' }),
  tooLarge: defineRefusal({ status: 413, code: 'too_large', reason: (most: number) => `The file has more than ${most} bytes. Read or change a smaller one.` }),
  tooManyFiles: defineRefusal({ status: 413, code: 'too_many_files', reason: (most: number) => `The site has more than ${most} files. Move what does not belong to it elsewhere.` }),
  badSiteId: defineRefusal({ status: 400, code: 'invalid_site_id', reason: (rule: string) => `This is not a site id that can be a folder: use ${rule}.` }),
  noSite: defineRefusal({ status: 404, code: 'site_not_found', reason: () => 'There is no such site in the workspace. list_sites names those that are there.' }),
  siteExists: defineRefusal({ status: 409, code: 'site_exists', reason: (id: string) => `The workspace has a folder '${id}' already. Choose another site id.` }),
  siteChanged: defineRefusal({ status: 409, code: 'site_changed', reason: (path: string) => `'${path}' was changed in the site after the copy was made, so nothing was applied. Start the run again.` }),
} as const
