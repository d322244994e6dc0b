/** Recognises messages in another language than English, by their script or their commonest words. */
import { wordSet } from '../../content/words.ts'
import { french } from './french.ts'
import { german } from './german.ts'
import { spanish } from './spanish.ts'
import { fillers, type Token, type Tokens } from './tokens.ts'
import type { Translation } from './translations.ts'

const english = wordSet(
  'to of in on and is it as at by make change set add remove delete move this that with for please should replace new i you have can not',
)

/**
 * The languages by common words that English does not have, with the commands that a single word gives, the
 * answer to a message in each, and the rows of its requests.
 */
const languages: readonly (readonly [
  words: ReadonlySet<string>,
  commands: ReadonlySet<string>,
  answer: string,
  translation?: Translation,
])[] = [
  [
    wordSet(`der die das den dem des ein eine einen einem einer und oder nicht auf zu zum zur mit für ist im von vom
      bitte ändere ändern setze setz mach mache lösche lösch löschen entferne entfern entfernen füge hinzu
      hinzufügen verschiebe verschieben ersetze überschrift seite seiten knopf abschnitt titel bild neue neuen
      neuer neues kannst könnt können könnte du ich wir ihr mir mich möchte hätte gern soll sollte heißen
      unten oben nach durch wie wo wer wann warum welche viele steht da jetzt hier mal habe gibt zeig zeige
      schreib schreibe ganz weg kein keine rückgängig tausche tauschen aktualisiere aktualisieren vor über
      unter bei aus noch hilfe umbenennen veröffentliche kopiere kopieren galerie karte karten spalte spalten
      menü bis uhr heute morgen preise öffnungszeiten montag dienstag mittwoch donnerstag freitag samstag sonntag kürzer kürze kürzen länger größer kleiner alle letzte letzten erste ersten erstes zweite zweiten
      zweites foto fotos bilder frage fragen antwort sind haben wird heißt kostet preis geschlossen geöffnet gutschein
      gutscheine telefonnummer neu gerade schon immer wurde wurden waren auch wieder statt uns unser unsere unseren arbeitet`),
    wordSet(`lösche lösch löschen entferne entfernen ändere ändern rückgängig hilfe veröffentliche
      veröffentlichen speichern öffne öffnen verschiebe verschieben hinzufügen umbenennen kopieren
      ersetzen abbrechen wiederherstellen weg raus danke nein stopp veröffentlicht speichere dupliziere übersetzen übersetze kürzen vertauschen vertausche`),
    'Ohne Sprachmodell verstehe ich nur Englisch, zum Beispiel: Change the headline to "Hallo". Für andere Sprachen muss ANTHROPIC_API_KEY in der Umgebung des Servers gesetzt und der Server neu gestartet werden.',
    german,
  ],
  [
    wordSet(`le la les un une des du de et est pas sur au aux dans par pour avec ce cette mon ma mes ajoute ajouter
      ajoutez supprime supprimer supprimez ouvre annule modifie modifier changez titre bouton je vous nous
      il combien quel quelle où peux pouvez voudrais mets mettez montre`),
    wordSet(`supprime supprimer supprimez annule annuler annulez ajoute ajouter ajoutez modifie modifier modifiez
      changez déplace déplacer publie publier publiez ouvre ouvrir copier enregistrer aide remplacer
      renommer traduire traduis raccourcir efface effacer refaire remplace remplacez publiez merci`),
    'Sans modèle de langage, je ne comprends que l’anglais, par exemple : Change the headline to "Bonjour". Pour les autres langues, il faut définir ANTHROPIC_API_KEY dans l’environnement du serveur et le redémarrer.',
    french,
  ],
  [
    wordSet(`¿ qué cómo dónde cuál cuántos el la los las un una unos y en por de del que para mi mis este esta cambia cambiar añade añadir elimina
      eliminar borra borrar deshaz quita pon título botón página páginas cuántas quiero puedes tengo muestra`),
    wordSet(`borra borrar elimina eliminar deshaz deshacer añade añadir cambiar mueve mover publicar abrir abre
      copiar guardar ayuda reemplazar renombrar traducir traduce quitar rehacer agrega agregar borres elimines cambies quites`),
    'Sin un modelo de lenguaje solo entiendo inglés, por ejemplo: Change the headline to "Hola". Para otros idiomas hay que definir ANTHROPIC_API_KEY en el entorno del servidor y reiniciarlo.',
    spanish,
  ],
  [
    wordSet(`il lo la gli le un una di del della dei nel che questa questo è non aggiungi rimuovi elimina cambia
      sposta metti titolo pagina pagine pulsante voglio puoi quante ho mostra`),
    wordSet(`annulla annullare rimuovi rimuovere elimina eliminare aggiungi aggiungere cambiare modifica
      modificare sposta spostare pubblica pubblicare apri aprire copia copiare salva salvare aiuto
      sostituisci rinomina traduci cancella cancellare`),
    'Senza un modello linguistico capisco solo l’inglese, per esempio: Change the headline to "Ciao". Per le altre lingue bisogna impostare ANTHROPIC_API_KEY nell’ambiente del server e riavviarlo.',
  ],
  [
    wordSet(`o os um uma de da dos das em na para com que este esta é não mude altere adicione remova apague título
      botão página páginas quero pode quantas tenho mostre`),
    wordSet(`desfazer desfaça apague apagar remova remover excluir exclua adicione adicionar altere alterar mude
      mover publicar publique abrir abra copiar salvar ajuda substituir renomear traduzir traduza`),
    'Sem um modelo de linguagem só entendo inglês, por exemplo: Change the headline to "Olá". Para outras línguas é preciso definir ANTHROPIC_API_KEY no ambiente do servidor e reiniciá-lo.',
  ],
  [
    wordSet(`de het een van naar en op met voor niet dit deze voeg toe verander verwijder zet kop knop titel pagina
      ik wil kun je hoeveel heb`),
    wordSet(`verwijder verwijderen verander veranderen toevoegen verplaats verplaatsen publiceer publiceren
      openen kopieer kopiëren opslaan vervang vervangen hernoem hernoemen vertaal vertalen ongedaan wijzig
      wijzigen`),
    'Zonder taalmodel begrijp ik alleen Engels, bijvoorbeeld: Change the headline to "Hallo". Voor andere talen moet ANTHROPIC_API_KEY in de omgeving van de server staan, en de server opnieuw starten.',
  ],
  [
    wordSet(`w na z się nie jest dodaj usuń zmień przenieś nagłówek stronę strona strony tytuł przycisk proszę chcę
      ile mam`),
    wordSet(`usuń usunąć usun cofnij dodaj zmień zmien przenieś opublikuj otwórz skopiuj zapisz pomoc zamień
      przetłumacz`),
    'Bez modelu językowego rozumiem tylko angielski, na przykład: Change the headline to "Cześć". Dla innych języków trzeba ustawić ANTHROPIC_API_KEY w środowisku serwera i uruchomić go ponownie.',
  ],
  [
    wordSet(`och att det en ett som på av för med är inte lägg till ändra ta bort flytta rubriken sidan knappen jag
      vill kan du hur många`),
    wordSet(`ångra radera raderera lägg ändra flytta publicera öppna kopiera spara hjälp ersätt översätt`),
    'Utan språkmodell förstår jag bara engelska, till exempel: Change the headline to "Hej". För andra språk måste ANTHROPIC_API_KEY anges i serverns miljö och servern startas om.',
  ],
  [
    wordSet(`og det en et som på af med er ikke tilføj fjern ændre endre slett legg flyt overskriften siden knappen
      jeg vil kan du hvor mange`),
    wordSet(`fortryd angre slet slett fjern tilføj ændre endre flyt flytt publicer udgiv åbn åpne kopier gem
      lagre hjælp hjelp erstat oversæt`),
    'Uden en sprogmodel forstår jeg kun engelsk, for eksempel: Change the headline to "Hej". Til andre sprog skal ANTHROPIC_API_KEY angives i serverens miljø, og serveren genstartes.',
  ],
  [
    wordSet(`na že je není ve pro od smaž smazat smažte odstraň odstranit přidej přidat změň změnit přesuň
      přesunout zkrať nadpis stránku stránka stránky stránce tlačítko obrázek prosím chci kolik mám vrať zpět
      sekci sekce nahraď otevři ukaž zveřejni zkopíruj přejmenuj vrátit zrušit skryj úvod`),
    wordSet(`smaž smazat smažte odstraň odstranit přidej přidat změň změnit přesuň přesunout vrátit zrušit
      zveřejni publikovat otevři otevřít kopírovat uložit nápověda nahraď přelož`),
    'Bez jazykového modelu rozumím jen anglicky, například: Change the headline to "Ahoj". Pro jiné jazyky je třeba nastavit ANTHROPIC_API_KEY v prostředí serveru a server restartovat.',
  ],
  [
    wordSet(`ei tämä tämän se sen mutta poista poistaa lisää lisätä muuta muuttaa vaihda siirrä otsikko otsikon
      otsikkoa sivu sivun sivulle sivulta sivut sivua painike painikkeen kuva kuvan kiitos haluan kuinka monta mitä
      minulla voitko kumoa peru peruuta avaa näytä julkaise kopioi piilota osio tekstiä teksti`),
    wordSet(`poista poistaa kumoa peru peruuta lisää lisätä muuta muuttaa siirrä siirtää julkaise julkaista avaa
      avata kopioi tallenna apua ohje korvaa käännä`),
    'Ilman kielimallia ymmärrän vain englantia, esimerkiksi: Change the headline to "Hei". Muita kieliä varten palvelimen ympäristössä on asetettava ANTHROPIC_API_KEY ja palvelin käynnistettävä uudelleen.',
  ],
  [
    wordSet(`ve bir bu şu için ile değil sil silin kaldır ekle ekleyin değiştir değiştirin taşı başlık başlığı başlığını
      sayfa sayfayı sayfası sayfaya sayfada sayfanın düğme düğmeyi resim resmi lütfen istiyorum kaç var geri
      al göster aç yayınla kopyala gizle metni metin bölüm bölümü yap`),
    wordSet(
      `sil silin kaldır ekle ekleyin değiştir değiştirin taşı yayınla kopyala kaydet yardım gizle çevir`,
    ),
    'Dil modeli olmadan yalnızca İngilizce anlıyorum, örneğin: Change the headline to "Merhaba". Diğer diller için sunucunun ortamında ANTHROPIC_API_KEY ayarlanmalı ve sunucu yeniden başlatılmalıdır.',
  ],
  [
    wordSet(`és az egy ez ezt nem hogy töröld törölje törlés távolítsd el hozzá változtasd módosítsd cseréld
      mozgasd címet cím címsor címsort oldal oldalt oldalam oldalon oldalra oldalak gomb gombot kép képet kérlek
      szeretnék hány vissza visszavonás mutasd nyisd tedd közzé másold rejtsd szöveget szöveg szakaszt`),
    wordSet(`töröld törölje törlés törölni változtasd módosítsd mozgasd visszavonás mentés segítség cseréld
      másold fordítsd hozzáadás közzététel`),
    'Nyelvi modell nélkül csak angolul értek, például: Change the headline to "Szia". Más nyelvekhez a szerver környezetében be kell állítani az ANTHROPIC_API_KEY változót, és a szervert újra kell indítani.',
  ],
  [
    wordSet(`și si din pe cu la nu este sunt pentru acest această șterge ștergeți sterge elimină adaugă adauga schimbă
      schimba mută modifică titlul titlu pagina paginii pagină pagini butonul buton imaginea vă rog vreau câte cate
      anulează anuleaza deschide arată publică copiază ascunde textul secțiunea secțiune`),
    wordSet(`șterge ştergeți ștergeți sterge elimină adaugă adauga schimbă schimba mută anulează anuleaza anulare
      publică deschide copiază salvează ajutor traduce înlocuiește`),
    'Fără un model de limbaj înțeleg doar engleza, de exemplu: Change the headline to "Salut". Pentru alte limbi trebuie setat ANTHROPIC_API_KEY în mediul serverului, iar serverul repornit.',
  ],
]

const scripts: readonly (readonly [script: RegExp, answer: string])[] = [
  [
    /\p{Script=Cyrillic}/u,
    'Без языковой модели я понимаю только английский, например: Change the headline to "Привет". Для других языков нужно задать ANTHROPIC_API_KEY в окружении сервера и перезапустить его.',
  ],
  [
    /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
    '言語モデルがないため、英語だけを理解できます。例: Change the headline to "こんにちは"。ほかの言語を使うには、サーバーの環境に ANTHROPIC_API_KEY を設定して再起動してください。',
  ],
  [
    /\p{Script=Han}/u,
    '没有语言模型时我只能理解英语，例如：Change the headline to "你好"。要使用其他语言，请在服务器环境中设置 ANTHROPIC_API_KEY 并重新启动。',
  ],
]

/** For every other language. */
const inEnglish =
  'Without a language model I only understand commands in English, for example: Change the headline to "Hello". For other languages set ANTHROPIC_API_KEY in the environment of the server and restart it.'

/** A command counts as much as two words, and a letter that English has not as one. */
const enough = 2

/** A language with the whole answer to a message in it, and the rows of its requests. */
interface Language {
  readonly answer: string
  readonly translation?: Translation | undefined
}

/** The other language of a message; `undefined` for one that may be English. */
export function otherLanguage(tokens: Tokens): Language | undefined {
  const words = wordsOnly(tokens)
  const latin = words.filter((word) => /^[\p{Script=Latin}\p{M}\p{N}']+$/u.test(word)).length
  if (words.length > 0 && latin * 2 < words.length)
    return { answer: scripts.find(([script]) => words.some((word) => script.test(word)))?.[1] ?? inEnglish }
  const accented = words.some((word) => /[^a-z\d']/.test(word)) ? 1 : 0
  const counts = languages.map(([own, commands, answer, translation]) => {
    const known = words.map((word) => (commands.has(word) ? enough : own.has(word) ? 1 : 0))
    return { answer, translation, count: known.reduce<number>((sum, each) => sum + each, 0) }
  })
  const [best] = counts.toSorted((a, b) => b.count - a.count)
  const inOwn = words.filter((word) => english.has(word)).length + tokens.filter(hasArticle).length
  return best && best.count > 0 && best.count + accented >= enough && best.count + accented > inOwn
    ? best
    : undefined
}

/** The languages whose requests a message may be: the one that it is in, or all if that is not known. */
export const translationsFor = (tokens: Tokens): readonly Translation[] => {
  const language = otherLanguage(tokens)
  const all = language ? [language.translation] : languages.map(([, , , translation]) => translation)
  return all.filter((each) => each !== undefined)
}

/**
 * The answer to a message of several words, or with such a letter, of which no word is a common English one.
 */
export function unknownLanguage(tokens: Tokens): string | undefined {
  const words = wordsOnly(tokens)
  const isForeign = words.length > 1 || words.some((word) => /\p{L}/u.test(word.replace(/[a-z]/g, '')))
  const isEnglish = tokens.some(hasArticle) || words.some((word) => english.has(word) || fillers.has(word))
  return isForeign && !isEnglish ? inEnglish : undefined
}

/** Whether an English article is before a word; other languages have `a` as well. */
const hasArticle = ({ article }: Token): boolean => article !== undefined && article !== 'a'

const wordsOnly = (tokens: Tokens): readonly string[] =>
  tokens.filter(({ kind, word }) => kind === 'word' || word === '¿').map(({ word }) => word)
