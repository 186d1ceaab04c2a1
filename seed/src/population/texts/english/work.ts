/** English lines about one's occupation; `{job}` has its article. */
export const work: Readonly<Record<string, string>> = {
  work: `
    I work as {job} and {mostly like it|like it more than I let on|would do it again}.
    By day I'm {job}.
    I'm {job}, and no, I can't get you a discount.
    {over30}For the last {smallyears} years I've been {job}.
    Work: {jobword}. Passion: everything that isn't on a screen.
    I'm {job}, which explains the shoes.
    People are surprised to hear that I'm {job}.
    My job ({jobword}) keeps me busy, but I leave it at the door.
    I became {job} by accident and stayed on purpose.
    Being {job} has taught me patience, mostly with printers.
    I like my work as {job}; I'd like it better on four days a week.
  `,
  'work.administration': `
    I'm {job}, so I know where everything is and who forgot to sign it.
    I keep an office of forty people running, which is excellent practice for life.
    I'm {job}. Calendars fear me.
    If you need something labeled, scheduled or gently talked out of a bad idea, I'm your person.
  `,
  'work.arts_and_media': `
    I'm {job}, so my hours are strange and my stories are good.
    I make things for a living, and some days they even pay me for it.
    I'm {job}; I notice fonts, light and the way people stand when they're waiting.
    Being {job} means I've never had a boring year or a full pension.
  `,
  'work.business_and_finance': `
    I'm {job}. It's less dull than it sounds, especially in April.
    I spend my days with numbers, so I spend my evenings with people.
    I'm {job}, and yes, I will split the bill in my head.
    Spreadsheets by day, {dish} by night.
  `,
  'work.construction_and_trades': `
    I'm {job}. I like being able to point at a thing and say I made that.
    I work with my hands, get up at five, and sleep well.
    I'm {job}, so my truck is dirty and my door hinges don't squeak.
    There's a house in {quarter} with my initials inside one of the walls.
  `,
  'work.education': `
    {classroom}I'm {job}, which means I own more pens than anyone needs and can silence a room with one eyebrow.
    {classroom}Teaching is most of who I am from September to June. In July I remember how to sleep.
    I'm {job}. My students are funnier than anything on television.
    {over35}I've been {job} for {bigyears} years, and I still get nervous on the first day.
  `,
  'work.engineering': `
    I'm {job}; I can't cross a bridge without looking underneath.
    I solve problems for a living and then come home to a faucet I've been meaning to fix since {season}.
    I'm {job}, so I draw little sketches on napkins when I explain things.
    I like knowing how things hold together. People too.
  `,
  'work.health_care': `
    I'm {job}. Long shifts, good colleagues, terrible coffee.
    Working as {job} has given me a strong stomach and a soft heart.
    I'm {job}, so I don't scare easily and I know a good night's sleep is holy.
    I see people on their worst days, so I try to enjoy the ordinary ones.
  `,
  'work.hospitality': `
    I'm {job}, so I know what everyone in {city} drinks and what it says about them.
    {over25}Years as {job} taught me to carry four plates and read a room.
    I work when others go out, which means my Monday is your Saturday.
    I'm {job}. I tip well and I judge those who don't.
  `,
  'work.information_technology': `
    I'm {job}. I've tried turning it off and on again, and here I am.
    I work in tech, but I own paper books and a landline number I still remember.
    I'm {job}; I fix what other people swear they didn't touch.
    My work is all keyboards, so on weekends I want mud, flour or strings under my fingers.
  `,
  'work.law': `
    I'm {job}. I argue for a living and try hard not to at home.
    Working as {job} taught me that there are always at least two sides, and usually a better third.
    I'm {job}, so I read the small print. Yes, even here.
    I keep secrets professionally.
  `,
  'work.public_service': `
    I'm {job}, and I'm proud of it.
    I work for the city, so I've heard all the jokes.
    I'm {job}; some days are hard, and I wouldn't trade them.
    My work is about people nobody else has time for.
  `,
  'work.retail_and_sales': `
    I'm {job}. I like people, even in December.
    I talk to strangers all day, so I've become good at the first five minutes.
    I'm {job}, so I can tell you what you want before you know it.
    {over25}I've sold everything from shoes to boats, but I've never been good at selling myself.
  `,
  'work.science': `
    I'm {job}, so I answer most questions with "it depends".
    I get paid to be curious, which still feels like a trick.
    I'm {job}. I name my instruments and talk to them.
    My work takes me into the field for weeks, and home again with good stories.
  `,
  'work.student': `
    I'm {job}, so I live on coffee, deadlines and my roommate's leftovers.
    Still studying: I'm {job} with two semesters to go.
    I'm {job} and I wait tables on weekends.
    Between classes I'm usually at the {place} with my headphones on.
  `,
  'work.transport': `
    I'm {job}. I've seen every sunrise this year.
    I'm {job}, so I know the back roads and every good sandwich along them.
    My job moves me around all day, so on days off I like to sit still.
    I listen to a book a week at work, which is one of the perks of being {job}.
  `,
  'work.self_employed': `
    I'm {job}: my own boss, my own cleaner, my own complaints department.
    {over25}I started my own business {smallyears} years ago, and I haven't been bored since.
    I'm {job}. If it fails it's my fault, and if it works it's my mother's.
    Being {job} means I set my hours, and they are all of them.
  `,
  'work.retired': `
    I'm {job}, and busier than I ever was at work.
    I retired {smallyears} years ago and promptly took up {instrument} lessons.
    I'm {job}. The alarm clock went into the river.
    After forty years of getting up early I now get up early because I like it.
  `,
  'work.other': `
    I'm {job}. It takes some explaining, preferably over {drink}.
    My line of work ({jobword}) doesn't fit the drop-down menus.
    I'm {job}, and every week is different.
    What I do doesn't make me rich, but I sleep well.
  `,
};
