import type { Texts } from './en-us.ts';

/** Turkish. */
export const trTR: Texts = {
  signIn: 'Oturum aç',
  login: 'Kullanıcı adı veya e-posta',
  password: 'Şifre',
  wrong: 'Kullanıcı adı veya e-posta ile şifre eşleşmiyor. Lütfen yeniden deneyin.',
  limited: 'Çok fazla deneme yapıldı. Lütfen {{minutes}} dk sonra yeniden deneyin.',
  suspended: 'Bu hesap askıya alındı. Lütfen müşteri hizmetlerine başvurun.',
  reactivate: 'Profilinizi yeniden etkinleştirin',
  reactivateWhy:
    'Profiliniz devre dışı. Her şeyi geri almak için kullanıcı adınızı veya e-postanızı ve şifrenizi bir kez daha girin.',
  otherAccount: 'Lütfen öncekiyle aynı kullanıcı adını veya e-postayı ve şifreyi girin.',
  staleForm: 'Bu form çok uzun süre açık kaldı. Lütfen yeniden deneyin.',
  chooseSite: 'Bir site seçin',
  chooseSiteWhy: 'Birden fazla sitenin üyesisiniz. Hangisinde oturum açmak istiyorsunuz?',
  continueAs: '{{name}} olarak devam et',
  continueAsWhy:
    'Bu tarayıcıda oturumunuz açık. {{app}} uygulamasında {{name}} olarak oturum açmak istiyor musunuz?',
  proceed: 'Devam et',
  useAnother: 'Başka bir hesap kullan',
  errorTitle: 'Bir sorun oluştu',
  errorClient:
    'Sizi buraya gönderen uygulama tanınmıyor veya doğru kurulmamış. Lütfen geliştiricilerine bildirin.',
  errorExpired:
    'Bu oturum açma işleminin süresi doldu veya bu tarayıcı çerezleri engelliyor. Lütfen uygulamaya dönüp yeniden başlayın.',
  errorOther: 'İstek anlaşılamadı. Lütfen uygulamaya dönüp yeniden başlayın.',
  errorAway: 'Şu anda bu işlem yapılamıyor. Lütfen birazdan yeniden deneyin.',
  errorCode: 'Hata: {{code}}',
  signOut: 'Oturumu kapat',
  signOutWhy: 'Bu tarayıcıda oturumu kapatmak istiyor musunuz?',
  signOutEverywhere: 'Her yerde oturumu kapat',
  signOutEverywhereWhy: 'Böylece diğer tüm uygulama ve tarayıcılardaki oturumlarınız da kapanır.',
  signedOut: 'Oturumunuz kapatıldı',
  signedOutWhy: 'Bu sayfayı kapatabilirsiniz.',
  forgotten: 'Şifrenizi mi unuttunuz?',
  forgottenWhy:
    'Kullanıcı adınızı veya e-postanızı girin. Yeni bir şifre seçmeniz için size bir bağlantı göndereceğiz.',
  sendLink: 'Bağlantı gönder',
  checkMail: 'E-postanıza bakın',
  checkMailWhy:
    'Bu kullanıcı adına veya e-postaya ait bir hesap varsa adresine bir ileti gönderildi. İçindeki bağlantı {{minutes}} dakika geçerlidir.',
  backToSignIn: 'Oturum açmaya dön',
  deviceLinkWhy:
    'Başka biri çok fazla denemiş olabilir. Size bu cihazda hemen oturum açabileceğiniz bir bağlantı gönderebiliriz.',
  sendDeviceLink: 'Bu cihaz için bağlantı gönder',
  checkMailDeviceWhy:
    'Bu kullanıcı adına veya e-postaya ait bir hesap varsa adresine bir ileti gönderildi. İçindeki bağlantıyı {{minutes}} dakika içinde bu tarayıcıda açın. Şifreniz yine gereklidir.',
  confirmDevice: 'Bu cihazda oturum aç',
  confirmDeviceWhy: 'Ardından {{site}} hesabınızın şifresini burada hemen girebilirsiniz.',
  deviceElsewhere: 'Bu bağlantıyı diğer tarayıcıda açın',
  deviceElsewhereWhy: 'Yalnızca istendiği tarayıcıda çalışır. Hiçbir şey değiştirilmedi.',
  username: 'Kullanıcı adı',
  newPassword: 'Yeni şifre',
  newPasswordWhy:
    'En az {{minimum}}, en fazla {{maximum}} karakter; kullanıcı adınızı, e-postanızı veya sitenin adını içeremez; en yaygın şifrelerden biri ya da 12345678 veya abababab gibi bir dizi olamaz.',
  savePassword: 'Şifreyi kaydet',
  badPassword:
    'Bu şifre çok kısa, çok uzun, çok yaygın ya da basit bir dizi veya kullanıcı adınızı, e-postanızı ya da sitenin adını içeriyor. Lütfen başka bir şifre seçin.',
  passwordSaved: 'Şifreniz değiştirildi',
  passwordSavedWhy: 'Her yerde oturumunuz kapatıldı. Lütfen uygulamaya dönüp yeni şifrenizle oturum açın.',
  changePassword: 'Şifrenizi değiştirin',
  currentPassword: 'Mevcut şifre',
  wrongPassword: 'Bu, mevcut şifreniz değil. Lütfen tekrar deneyin.',
  passwordChangedWhy: 'Bu tarayıcıda oturumunuz açık kalır; diğer her yerde oturumunuz kapatıldı.',
  confirmEmail: 'E-postanızı onaylayın',
  confirmEmailWhy: '{{email}}, {{site}} hesabınızın e-posta adresi mi?',
  confirm: 'Evet, onayla',
  emailConfirmed: 'E-postanız onaylandı',
  linkOld: 'Bu bağlantı artık geçerli değil',
  linkOldWhy: 'Süresi dolmuş veya daha önce kullanılmış. Lütfen uygulamadan yeni bir bağlantı isteyin.',
  linkOldEmailWhy: 'Süresi dolmuş veya hesabın artık başka bir e-posta adresi var.',
  linkOldRevertWhy:
    'Süresi doldu veya daha önce kullanıldı. Hesabınızı başka biri kullanıyorsa oturum açma sayfasında yeni bir şifre isteyin.',
  revertEmail: 'E-posta adresinizi koruyun',
  revertEmailWhy:
    'Değişiklik geri alınır: {{email}}, {{site}} hesabınızın e-posta adresidir. Herkesin oturumu kapatılır ve şifre geçersiz olur. Ardından yeni bir şifre seçersiniz.',
  revertEmailButton: 'Değişikliği geri al',
  revertEmailAction: 'Bunu ben yapmadım',
  emailReverted: 'Değişiklik geri alındı',
  emailRevertedWhy:
    'Herkesin oturumu kapatıldı. Yeni şifre seçmek için hesabın ilk adresine bir bağlantı gönderdik.',
  mailHello: 'Merhaba {{username}},',
  mailIgnore: 'Bunu siz istemediyseniz bu iletiyi yok sayabilirsiniz.',
  mailReset: 'Yeni bir şifre seçin',
  mailResetWhy:
    'Biri, büyük olasılıkla siz, {{site}} hesabınız için yeni bir şifre istedi. Aşağıdaki bağlantıyla yeni şifrenizi seçebilirsiniz. Bağlantı bir kez ve {{minutes}} dakika boyunca kullanılabilir.',
  mailDevice: 'Cihazınızda oturum açın',
  mailDeviceWhy:
    'Biri, büyük olasılıkla siz, çok fazla denemeden sonra {{site}} hesabınızda oturum açmak istedi. Aşağıdaki bağlantıyı, onu istediğiniz tarayıcıda açın: şifrenizi orada hemen girebilirsiniz. Bağlantı {{minutes}} dakika geçerlidir.',
  mailConfirm: 'Lütfen e-postanızı onaylayın',
  mailConfirmWhy:
    'Bu adres {{site}} üzerindeki bir hesap için girildi. Lütfen adresin size ait olduğunu onaylayın. Aşağıdaki bağlantı {{days}} gün geçerlidir.',
  mailPasswordChanged: 'Şifreniz değiştirildi',
  mailPasswordChangedWhy:
    '{{site}} hesabınızın şifresi değiştirildi ve her yerde oturumunuz kapatıldı. Bunu siz yapmadıysanız lütfen hemen yeni bir şifre seçin ve müşteri hizmetlerine başvurun.',
  mailEmailChange: 'E-postanız değişmek üzere',
  mailEmailChangeWhy:
    '{{site}} hesabınızda oturum açmış biri e-posta adresini başka bir adresle değiştirmek istiyor. Bunu siz istediyseniz yeni adrese gönderdiğimiz bağlantıyı açın; burada bir şey yapmanız gerekmez. Siz istemediyseniz {{days}} gün içinde aşağıdaki bağlantıyı kullanın: bu adresi korur, herkesin oturumunu kapatır ve yeni bir şifre seçmenizi sağlar.',
  mailEmailChanged: 'E-postanız değiştirildi',
  mailEmailChangedWhy:
    '{{site}} hesabınızın e-posta adresi başka bir adresle değiştirildi. Bunu siz yapmadıysanız {{days}} gün içinde aşağıdaki bağlantıyı kullanın: bu adresi geri getirir, herkesin oturumunu kapatır ve yeni bir şifre seçmenizi sağlar.',
  mailDeletion: 'Profiliniz silindi',
  mailDeletionWhy:
    '{{site}} profiliniz, hesabınızda oturum açmış biri tarafından silindi. {{days}} gün içinde oturum açarak profilinizi geri alabilirsiniz; sonra her şey kalıcı olarak silinir. Bunu siz yapmadıysanız oturum açın ve yeni bir şifre seçin.',
};
