/** First lines of English profiles by tone, and lines about where somebody lives. */
export const opening: Readonly<Record<string, string>> = {
  'opener.warm': `
    Hi, I'm {name}, and yes, writing about myself is harder than it looks.
    {Hello from {quarter}!|Greetings from {quarter}!} I'm {name}.
    My friends say I'm the one who remembers birthdays.
    The people I love would tell you I hug too long.
    I laugh easily, I cry at commercials, and I answer the phone when my friends call.
    If you came to my door, I'd put the kettle on before asking what you wanted.
    My mother raised me to feed people, and it stuck.
    I've been told I have a kind face, which mostly means strangers ask me for directions.
    I believe in handwritten cards, second helpings and second chances.
    Ask anyone: I'm the friend who drives you to the airport.
    I talk to dogs first and their owners second.
    It took me {smallyears} drafts to write this, so please be gentle.
    I'm happiest with a full table and too few chairs.
    I still send postcards.
    I wave at babies on buses. They wave back more often than not.
    Three things you'd notice within an hour: I listen, I laugh loudly, and I'm always a little bit hungry.
    Life has been good to me, and I'd like to share it with someone.
    I'm a soft touch with a firm handshake.
  `,
  'opener.dry': `
    My sister made me do this.
    I was promised there would be no essay questions.
    Known for: {fault}. Not known for: {fault}.
    I'd describe myself as tall, dark and exaggerating.
    A short list of my achievements: I can {skill}. End of list.
    My therapist and my barber both think this is a good idea.
    I have read all the advice on how to write one of these and will now ignore it.
    Reasonably house-trained, {age}, own tools.
    Former child. Current {jobword}. Future owner of a porch.
    Warning: contains opinions about {food}.
    I'm told I clean up well. Evidence is limited.
    Two truths and a lie: I can {skill}, I've been to {visited}, I enjoy filling out profiles.
    Apparently "I'll meet someone at the {place}" is not a plan.
    I peaked in the fourth-grade spelling bee and have been coasting since.
    My best friend wrote something here that was much better and entirely untrue.
    {over25}I've outlived three phones, two cars and one fern.
    Not a morning person. Not an evening person either. There's a good window around eleven.
    References available on request, mostly from dogs.
  `,
  'opener.plain': `
    {I'm {name}, {age}, and I live in {quarter}.|My name is {name} and I live in {quarter}.}
    I'm {job}, {age} years old, and pretty content with how things are going.
    I like a simple life: work I care about, people I trust, and time outside.
    {incomer}I moved to {city} {cityyears} years ago and it finally feels like home.
    New here. I thought I'd start with the basics.
    I'm easygoing, steady, and I do what I say I'll do.
    A little about me, since that is what this box is for.
    I keep my word, my appointments and most of my hair ties.
    {incomer}I've lived in {city} for {cityyears} years and know most of its potholes by name.
    {over30}I am who I am at {age}, and I like it better than being twenty.
    Honest, curious and punctual: that's me on a good day.
    I'm looking for somebody real, so here is somebody real.
    I work, I read, I see my friends, and I'd like to add one more person to that.
    {incomer}I grew up in {town} and ended up in {city}.
    Most evenings you'll find me at home by seven with something on the stove.
    I don't need much to be happy.
    This is my first time trying something like this.
    I've been single for a while now, long enough to know what I want.
  `,
  place: `
    I've been in {quarter} for {quarteryears} years and still find {streets|alleys|corners} I haven't walked.
    {quarter} is home; I know the mail carrier, the crossing guard and every dog on the block.
    {incomer}I came to {city} for a job and stayed for the {place}.
    My apartment in {quarter} is small, but the light is wonderful in the morning.
    {over30}I bought a little house in {quarter} last year and am learning plumbing the hard way.
    {city} in {season} is about as good as it gets.
    I'd happily show you my favorite {place} in {quarter}.
    Weekends usually start at the {place} down the street.
    I complain about {city} traffic as if I weren't part of it.
    {incomer}I moved across the country for {city} and would do it again.
    If you've never seen {city} at five in the morning, I recommend it exactly once.
    I live close enough to walk to work, which I count as a raise.
    There's a {eatery} in {quarter} where they know my order, and I'm not ashamed.
    I share a duplex in {quarter} with an upstairs neighbor who is learning the {instrument}.
    {incomer}{city} keeps surprising me, and I've been here {cityyears} years.
    My balcony in {quarter} fits two chairs, and one of them has been empty for a while.
    {native}{over25}I left {city} for a few years and came back; that told me something.
    I know which {eatery} in {city} is open late and which one you should never trust.
  `,
  'place.abroad': `
    I live in {quarter} and my English is better in writing than after two glasses of wine.
    {native}{city} is my city: I was born here and I still get lost in {quarter}.
    I write in English because my last three colleagues did, and it stuck.
    If you visit {city}, don't trust the guidebook. Ask me.
    I love {city} most in {season}, when the visitors are gone.
    {native}My family has lived in {city} for four generations, and none of us can park there.
    In {quarter} everybody knows everybody, which is lovely until you buy a lamp at ten at night.
    I spent a year abroad, missed the bread, and came back to {city}.
    From my window in {quarter} I see roofs, laundry and one very serious cat.
    I'd like to meet someone from here, or someone ready to fall in love with {city}.
    My grandmother's kitchen is three streets away from mine. I planned it that way.
    I teach everyone who visits me three words of my language, and the first is always about food.
  `,
};
