import { defineWords } from '../words.ts'

/** The words of what becomes public with an event. */
export const publishWords = defineWords({
  en: {
    title: 'This becomes public',
    lead: 'Everybody will see what is below. Nothing is published yet.',
    changed: 'Something has changed since you looked. It is marked below, and nothing of it was published.',
    isChanged: 'Changed since you looked',
    publishAll: 'Publish all {n}',
    notNow: 'Not now',
    leftOut: 'Some of what you chose is not here: it is public already, gone, or not yours to publish.',
    nothing: 'There is nothing to publish.',
    span: '{n} dates, from {first} to {last}',
    ownDates: 'Dates that differ from the others: {n}',
    stayHidden: 'Not public, and not published along with it: {names}',
    addresses: 'Leads to, or loads: {all}',
    newTerm: 'New in the calendar, published along with it: {name}',
    series: 'What other dates of its series share',
    tooMuch: 'This is more than can be shown here.',
    lookAtAll: 'Look at all of it',
    tooManyDates:
      'There is more to this than can be shown at once, so it can’t be published as a whole. Publish its dates one by one, or shorten it first.',
  },
  de: {
    title: 'Das wird öffentlich',
    lead: 'Alles Folgende können dann alle sehen. Noch ist nichts veröffentlicht.',
    changed:
      'Seit Sie hingesehen haben, hat sich etwas geändert. Es ist unten markiert, und nichts davon wurde veröffentlicht.',
    isChanged: 'Geändert, seit Sie hingesehen haben',
    publishAll: 'Alle {n} veröffentlichen',
    notNow: 'Noch nicht',
    leftOut:
      'Einiges, das Sie ausgewählt haben, fehlt hier: Es ist schon öffentlich, nicht mehr da, oder Sie dürfen es nicht veröffentlichen.',
    nothing: 'Hier gibt es nichts zu veröffentlichen.',
    span: '{n} Termine, vom {first} bis zum {last}',
    ownDates: 'Termine, die von den anderen abweichen: {n}',
    stayHidden: 'Nicht öffentlich, und wird nicht mit veröffentlicht: {names}',
    addresses: 'Führt zu, oder lädt: {all}',
    newTerm: 'Neu im Kalender, wird mit veröffentlicht: {name}',
    series: 'Was für andere Termine der Reihe gilt',
    tooMuch: 'Das ist mehr, als hier Platz hat.',
    lookAtAll: 'Alles ansehen',
    tooManyDates:
      'Das ist mehr, als sich auf einmal zeigen lässt, und kann deshalb nicht als Ganzes veröffentlicht werden. Veröffentlichen Sie die Termine einzeln, oder kürzen Sie zuerst.',
  },
  es: {
    title: 'Esto se hará público',
    lead: 'Todo el mundo verá lo que sigue. Todavía no se ha publicado nada.',
    changed: 'Algo ha cambiado desde que lo miró. Está marcado abajo, y no se ha publicado nada de ello.',
    isChanged: 'Ha cambiado desde que lo miró',
    publishAll: 'Publicar los {n}',
    notNow: 'Ahora no',
    leftOut:
      'Parte de lo que eligió no está aquí: ya es público, ya no existe o no le corresponde publicarlo.',
    nothing: 'No hay nada que publicar.',
    span: '{n} fechas, del {first} al {last}',
    ownDates: 'Fechas distintas de las demás: {n}',
    stayHidden: 'No es público, y no se publicará también: {names}',
    addresses: 'Enlaza o carga: {all}',
    newTerm: 'Nuevo en el calendario, se publicará también: {name}',
    series: 'Lo que comparten otras fechas de la serie',
    tooMuch: 'Es más de lo que cabe aquí.',
    lookAtAll: 'Verlo todo',
    tooManyDates:
      'Hay más de lo que se puede mostrar de una vez, así que no se puede publicar entero. Publique las fechas una a una, o acórtelo antes.',
  },
  fr: {
    title: 'Ceci deviendra public',
    lead: 'Tout le monde verra ce qui suit. Rien n’est encore publié.',
    changed:
      'Quelque chose a changé depuis que vous l’avez consulté. C’est indiqué ci-dessous, et rien n’en a été publié.',
    isChanged: 'Modifié depuis que vous l’avez consulté',
    publishAll: 'Publier les {n}',
    notNow: 'Pas maintenant',
    leftOut:
      'Une partie de votre choix n’est pas ici : c’est déjà public, cela n’existe plus ou il ne vous appartient pas de le publier.',
    nothing: 'Il n’y a rien à publier.',
    span: '{n} dates, du {first} au {last}',
    ownDates: 'Dates qui diffèrent des autres : {n}',
    stayHidden: 'N’est pas public, et ne sera pas publié en même temps : {names}',
    addresses: 'Mène à, ou charge : {all}',
    newTerm: 'Nouveau dans le calendrier, publié en même temps : {name}',
    series: 'Ce que partagent d’autres dates de la série',
    tooMuch: 'C’est plus que ce qui tient ici.',
    lookAtAll: 'Tout voir',
    tooManyDates:
      'Il y en a plus que ce qui peut être affiché en une fois ; l’ensemble ne peut donc pas être publié. Publiez les dates une par une, ou raccourcissez d’abord.',
  },
})
